"""What two clones exchange, and that both have all of it then."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.gitrun import run_git
from tests.ops.clones import Clones, Side, clones, made
from vault_memory.errors import ConflictError, GitError
from vault_memory.facets.remote import Synced, Way
from vault_memory.surfaces.cli.elsewhere import carry_out
from vault_memory.vault import Vault

__all__ = ["clones", "made"]


def test_asking_writes_nothing_so_those_who_asked_have_nothing_to_merge(clones: Clones) -> None:
    for side in (clones.one, clones.two):
        for _ in range(20):
            side.vault.person.recall("first")
        done = side.whole()
        assert (done.commits_received, done.commits_sent, done.uncommitted) == (0, 0, 0)


def test_a_vault_in_a_folder_of_a_repository_takes_what_is_around_it_along(clones: Clones) -> None:
    """A conflict around the vault is named too, and nothing is merged."""
    for side in (clones.one, clones.two):
        inner = Vault.create(side.root / "deep" / "er").root
        (inner / "own.md").write_text("own\n")
        side.git("add", "--all", "--force", "deep/er/.vmem/config.toml", "deep/er/own.md")
        side.git("commit", "--quiet", "--message", "inner")
        (side.root / "notes/first.md").write_text(f"{side.root.name}\n")
        side.git("commit", "--quiet", "--all", "--message", "outer")
    clones.two.git("push", "--quiet")
    with Vault.open(clones.one.root / "deep" / "er") as vault:
        done = Side(clones.one.root, vault).sync()
        assert (done.conflicts, done.conflicts_outside) == ((), ("notes/first.md",))
        assert isinstance(done.error, ConflictError)
        clones.one.git("checkout", "--quiet", "origin/main", "--", "notes/first.md")
        clones.one.git("commit", "--quiet", "--message", "theirs")
        done = Side(clones.one.root, vault).whole()
        assert (done.way, done.received.added) == (Way.MERGE, ())


def test_a_resident_leaves_it_to_the_command_itself(clones: Clones) -> None:
    @contextmanager
    def find(_: Path | None) -> Iterator[Vault]:
        yield clones.one.vault

    answer = carry_out(["sync"], find, lambda: b"", {})
    assert answer == {"unfit": "it talks to a remote, which may take long"}


def test_what_both_remember_and_edit_is_on_both_sides_after_it(clones: Clones) -> None:
    one, two = clones.one, clones.two
    file = one.remember("Rule")
    assert one.whole().commits_sent == 1
    done = two.whole()
    assert (done.commits_received, done.commits_sent, done.way) == (1, 0, None)
    assert done.received.added == ("notes/rule.md",)
    two.vault.person.edit("Rule", importance=0.9, add_tags=["two"])
    two.remember("Only two")
    one.vault.person.edit("Rule", add_tags=["one"])
    two.whole()
    done = one.whole()
    assert (done.way, done.commits_received, done.commits_sent) == (Way.MERGE, 2, 2)
    assert (done.received.added, done.received.edited) == (("notes/only-two.md",), ("notes/rule.md",))
    two.whole()
    assert "importance: 0.9\n" in file.read_text()
    assert file.read_bytes() == (two.root / "notes/rule.md").read_bytes()
    assert one.titles() == two.titles() == {"first", "Rule", "Only two"}
    assert {one.git("status", "--porcelain"), two.git("status", "--porcelain")} == {""}
    assert one.whole() == Synced("main", done.followed, done.head)


def test_ours_go_on_top_of_theirs_with_authors_dates_and_messages(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.remember("Theirs")
    two.whole()
    one.vault.agent("akashi").remember("mine", title="Mine", namespace="market")
    one.vault.person.edit("notes/first.md", add_tags=["one"])
    before = one.git("log", "-2", "--format=%an %aI%n%B")
    done = one.whole(Way.REBASE)
    assert (done.way, done.commits_sent) == (Way.REBASE, 2)
    assert one.git("log", "-2", "--format=%an %aI%n%B") == before
    assert one.git("rev-list", "--merges", "HEAD") == ""
    assert one.git("status", "--porcelain", "--branch") == "## main...origin/main"
    assert one.titles() == {"first", "Theirs", "Mine"}


def test_a_change_that_is_there_already_is_not_made_twice_and_a_merge_is_not_taken_apart(
    clones: Clones,
) -> None:
    one, two = clones.one, clones.two
    for side in (one, two):
        (side.root / "notes/first.md").write_text("the same\n")
        side.git("commit", "--quiet", "--all", "--message", "the same")
    two.remember("More")
    two.whole()
    one.remember("Mine")
    assert one.whole(Way.REBASE).commits_sent == 1
    one.git(
        "merge",
        "--quiet",
        "--no-ff",
        "--message",
        "m",
        one.git("commit-tree", "HEAD^{tree}", "-p", "HEAD~1", "-m", "x"),
    )
    two.whole()
    two.remember("Yet more")
    two.whole()
    before = one.state()
    done = one.sync(Way.REBASE)
    assert isinstance(done.error, GitError)
    assert "is a merge" in done.error.message
    assert one.state() == before
    one.whole()


def test_what_waits_is_committed_first_and_what_a_person_changed_stays_theirs(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.remember("Theirs")
    two.whole()
    refuses = one.hook("pre-commit", "exit 1")
    one.remember("Waits")
    (one.root / "notes/first.md").write_text("half a thought\n")
    (one.root / "notes/staged.md").write_text("staged\n")
    one.git("add", "notes/staged.md")
    (one.root / "notes/new.md").write_text("untracked\n")
    done = one.sync()
    assert (done.error, done.waiting, done.uncommitted, done.commits_sent) == (None, 1, 3, 0)
    refuses.unlink()
    done = one.sync()
    assert (done.error, done.waiting, done.uncommitted, done.commits_sent) == (None, 0, 3, 1)
    assert one.git("status", "--porcelain").splitlines() == [
        " M notes/first.md", "A  notes/staged.md", "?? notes/new.md",
    ]  # fmt: skip
    assert (one.root / "notes/first.md").read_text() == "half a thought\n"
    assert one.titles() >= {"Theirs", "Waits"}


def test_two_memories_of_one_title_are_both_kept_and_told(clones: Clones) -> None:
    one, two = clones.one, clones.two
    first = one.remember("Rule", "one of them").read_bytes()
    second = two.remember("Rule", "the other").read_bytes()
    two.whole()
    done = one.whole()
    [apart] = done.apart
    assert apart.path == "notes/rule.md"
    assert apart.moved_to == "notes/rule-2.md"
    both = {(one.root / f"notes/{name}.md").read_bytes() for name in ("rule", "rule-2")}
    assert both == {first, second}
    two.whole()
    assert two.titles() == one.titles()


def test_one_id_in_two_files_after_a_merge_is_told(clones: Clones) -> None:
    one, two = clones.one, clones.two
    file = one.remember("Rule")
    one.whole()
    two.whole()
    one.git("mv", "notes/rule.md", "notes/renamed.md")
    one.git("commit", "--quiet", "--message", "renamed")
    one.whole()
    (two.root / "copy.md").write_bytes((two.root / "notes/rule.md").read_bytes())
    two.git("add", "--all")
    two.git("commit", "--quiet", "--message", "copied")
    done = two.whole()
    assert done.received.renamed == (("notes/rule.md", "notes/renamed.md"),)
    assert done.same_id == (("notes/renamed.md", "copy.md"),)
    assert not file.exists()


def test_who_is_overtaken_at_the_push_merges_again(clones: Clones) -> None:
    """The other side's push comes between our fetch and our push, twice."""
    one, two = clones.one, clones.two
    for name in ("a", "b"):
        (two.root / f"{name}.md").write_text(name)
        two.git("add", "--all")
        two.git("commit", "--quiet", "--message", name)
    rounds = one.root / ".git" / "rounds"
    one.hook(
        "pre-push",
        f"unset GIT_DIR; echo x >> {rounds}; n=$(wc -l < {rounds})\n"
        f"case $n in 1) git -C {two.root} push -q origin main~1:main;;"
        f" 2) git -C {two.root} push -q origin main;; esac",
    )
    one.remember("Mine")
    done = one.whole()
    assert rounds.read_text() == "x\n" * 3
    assert (done.commits_received, done.received.added) == (2, ("a.md", "b.md"))
    assert one.titles() == {"first", "Mine", "a", "b"}


def test_many_clones_that_race_all_end_with_everything(clones: Clones) -> None:
    sides = (clones.one, clones.two)

    def work(side: Side) -> list[Synced]:
        done = []
        for number in range(4):
            side.remember(f"{side.root.name} {number}")
            done.append(side.sync())
        return done

    with ThreadPoolExecutor(len(sides)) as pool:
        for done in pool.map(work, sides):
            assert [one.error for one in done] == [None] * 4
    for side in (*sides, *sides):
        side.whole()
    wanted = {"first", *(f"{side.root.name} {number}" for side in sides for number in range(4))}
    assert [side.titles() for side in sides] == [wanted, wanted]
    assert sides[0].git("rev-parse", "HEAD") == sides[1].git("rev-parse", "HEAD")


def test_a_branch_that_follows_nothing_follows_what_it_was_sent_to(clones: Clones) -> None:
    one = clones.one
    one.git("switch", "--quiet", "--create", "side", "--no-track")
    one.remember("Mine")
    done = one.sync()
    assert (done.error, done.commits_sent, done.follows_now, str(done.followed)) == (
        None, 2, True, "origin/side",
    )  # fmt: skip
    assert one.git("rev-parse", "--abbrev-ref", "@{upstream}") == "origin/side"
    assert one.sync().follows_now is False


def test_a_clone_without_a_commit_takes_what_is_there_and_sends_what_comes(
    clones: Clones, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.git"
    run_git(tmp_path, "init", "--quiet", "--bare", str(empty))
    root = Vault.create(tmp_path / "third").root
    run_git(root, "remote", "add", "origin", str(empty))
    with Vault.open(root, settings={"refresh_seconds": 0.0}) as vault:
        side = Side(root, vault)
        assert side.sync().error is None
        run_git(root, "remote", "set-url", "origin", str(clones.bare))
        (root / ".vmem" / "config.toml").unlink()
        (root / ".vmem" / ".gitignore").unlink()
        done = side.sync()
        assert (done.error, done.commits_received, done.received.added) == (None, 1, ("notes/first.md",))
        side.remember("Mine")
        assert side.whole().commits_sent == 1


def test_only_what_others_have_comes_where_nothing_is_to_be_sent(clones: Clones) -> None:
    one, two = clones.one, clones.two
    two.remember("Theirs")
    two.whole()
    one.remember("Mine")
    done = one.sync(push=False)
    assert (done.error, done.commits_received, done.commits_sent) == (None, 1, 0)
    assert one.titles() == {"first", "Theirs", "Mine"}
    assert run_git(clones.bare, "rev-list", "--count", "main") == "2"
