"""Collecting what has expired: one commit, only what history holds, nothing that changed meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.gitrun import Git, put_hook
from tests.stand import NOON, ToldClock
from vault_memory.errors import ClockError, ScopeError, ValueFormatError
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

AKASHI = Scope("akashi")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault in which commits by hand are of the same time as the tests' clock."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", NOON.isoformat())
    Vault.create(tmp_path / "memory")
    return tmp_path / "memory"


def put(root: Path, name: str, front: str, body: str = "text") -> Path:
    place = root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"---\n{front}\n---\n{body}\n", encoding="utf-8")
    return place


def commit_all(root: Path, git: Git, message: str = "by hand") -> None:
    git(root, "add", "--", ".")
    git(root, "commit", "--quiet", "-m", message)


def commits(root: Path, git: Git) -> list[str]:
    return git(root, "log", "--format=%s").splitlines()


def test_all_that_expired_goes_in_one_commit_that_names_each_and_why(
    vault: Vault, root: Path, clock: ToldClock, git: Git
) -> None:
    one = vault.agent("akashi").remember("Standup at ten", title="Standup", ttl="7d")
    two = vault.person.remember("Reports on Wednesday", title="Earnings", expires="2026-03-18")
    vault.person.remember("Stays", ttl="90d")
    vault.person.remember("Stays too", ttl="1d", pinned=True)
    before = len(commits(root, git))
    clock.move(days=9)
    done = vault.upkeep.gc(PERSON)
    assert [(each.path, each.removed, each.stays) for each in done.expired] == [
        (two.path, True, None),
        (one.path, True, None),
    ]
    assert done.commit == git(root, "rev-parse", "HEAD")
    assert len(commits(root, git)) == before + 1
    assert git(root, "log", "-1", "--format=%B").splitlines() == [
        "gc: 2 expired memories",
        "",
        f"  Earnings ({two.path}, {two.id}): expires 2026-03-18, expired 2026-03-19 00:00 UTC",
        f"  Standup ({one.path}, {one.id}): ttl 7d, expired 2026-03-21 12:00 UTC",
        "",
        "Vmem-Op: gc",
    ]
    assert git(root, "show", "--format=", "--name-status").splitlines() == [
        f"D\t{two.path}",
        f"D\t{one.path}",
    ]
    assert len(vault.person.list(expired=True)) == 2
    assert vault.upkeep.expired(PERSON) == []


def test_of_many_hundreds_each_is_named_and_an_undo_brings_all_back(
    vault: Vault, root: Path, git: Git
) -> None:
    names = [f"notes/{number % 7}/old-{number}.md" for number in range(800)]
    held = {name: put(root, name, "expires: 2026-03-01", f"text {name}").read_bytes() for name in names}
    commit_all(root, git)
    done = vault.upkeep.gc(PERSON)
    assert len(done.removed) == len(names)
    named = git(root, "log", "-1", "--format=%B")
    assert [name for name in names if f"({name}): expires 2026-03-01" not in named] == []
    assert len(git(root, "show", "--format=", "--name-only").splitlines()) == len(names)
    vault.person.undo()
    assert {name: (root / name).read_bytes() for name in names} == held


def test_what_went_comes_back_by_restore_and_all_of_it_by_undo(
    vault: Vault, root: Path, clock: ToldClock
) -> None:
    names = [vault.person.remember(f"Note {number}", title=f"N{number}", ttl="1d").path for number in "123"]
    held = {name: (root / name).read_bytes() for name in names}
    clock.move(days=2)
    vault.upkeep.gc(PERSON)
    back = vault.person.restore("N2")
    assert (root / back.path).read_bytes() == held[names[1]]
    vault.upkeep.gc(PERSON)
    assert not any((root / name).exists() for name in names)
    vault.person.undo()
    assert {name for name in names if (root / name).exists()} == {names[1]}


def test_an_undo_brings_back_every_file_of_the_commit(vault: Vault, root: Path, clock: ToldClock) -> None:
    names = [vault.person.remember(f"Note {number}", title=f"N{number}", ttl="1d").path for number in "123"]
    held = {name: (root / name).read_bytes() for name in names}
    clock.move(days=2)
    vault.upkeep.gc(PERSON)
    vault.person.undo()
    assert {name: (root / name).read_bytes() for name in names} == held


def test_nothing_expired_makes_no_commit(vault: Vault, root: Path, git: Git) -> None:
    vault.person.remember("Stays", ttl="90d")
    before = commits(root, git)
    done = vault.upkeep.gc(PERSON)
    assert (done.expired, done.commit, done.reason) == ((), None, None)
    assert commits(root, git) == before


def test_an_agent_collects_what_it_may_write_under_its_own_name(
    vault: Vault, root: Path, clock: ToldClock, git: Git
) -> None:
    put(root, "notes/person.md", "expires: 2026-01-01")
    commit_all(root, git)
    own = vault.agent("akashi").remember("Mine", ttl="1d").path
    shared = vault.agent("mira").remember("Ours", ttl="1d", namespace="ops").path
    theirs = vault.agent("mira").remember("Theirs", ttl="1d").path
    clock.move(days=2)
    assert [one.path for one in vault.upkeep.expired(AKASHI)] == [own, shared]
    foreign = [one for one in vault.upkeep.expired(PERSON) if one.path == theirs]
    with pytest.raises(ScopeError):
        vault.upkeep.gc(AKASHI, foreign)
    done = vault.upkeep.gc(AKASHI)
    assert [one.path for one in done.removed] == [own, shared]
    assert git(root, "log", "-1", "--format=%an %(trailers:key=Source-Agent,valueonly)").strip() == (
        "akashi akashi"
    )
    assert (root / theirs).exists()
    assert (root / "notes/person.md").exists()


def test_only_what_git_holds_as_it_lies_there_is_removed(vault: Vault, root: Path, git: Git) -> None:
    front = "expires: 2026-01-01"
    (root / ".gitignore").write_text("notes/ignored.md\n", encoding="utf-8")
    for name in ("clean", "modified", "staged", "partly"):
        put(root, f"notes/{name}.md", front)
    commit_all(root, git)
    for name in ("modified", "staged", "partly"):
        put(root, f"notes/{name}.md", front, "a person's words")
    git(root, "add", "--", "notes/staged.md", "notes/partly.md")
    put(root, "notes/partly.md", front, "more of a person's words")
    put(root, "notes/untracked.md", front)
    put(root, "notes/ignored.md", front)
    held = {one.name: one.read_bytes() for one in (root / "notes").iterdir()}
    staged = git(root, "diff", "--cached")
    done = vault.upkeep.gc(PERSON)
    assert {one.path.removeprefix("notes/"): one.stays for one in done.expired} == {
        "clean.md": None,
        "ignored.md": "git ignores it, so history could not bring it back",
        "modified.md": "it holds a change that is not committed",
        "partly.md": "part of a change to it is staged",
        "staged.md": "it holds a change that is not committed",
        "untracked.md": "it is not in git, so history could not bring it back",
    }
    assert [one.path for one in done.removed] == ["notes/clean.md"]
    del held["clean.md"]
    assert {one.name: one.read_bytes() for one in (root / "notes").iterdir()} == held
    assert git(root, "diff", "--cached") == staged


def test_what_changed_after_it_was_listed_is_left(vault: Vault, root: Path, git: Git) -> None:
    for name in ("edited", "gone", "prolonged", "same"):
        put(root, f"notes/{name}.md", "expires: 2026-01-01")
    commit_all(root, git)
    listed = vault.upkeep.expired(PERSON)
    assert [one.stays for one in listed] == [None] * 4
    put(root, "notes/edited.md", "expires: 2026-01-01", "other words")
    (root / "notes/gone.md").unlink()
    put(root, "notes/prolonged.md", "expires: 2027-01-01")
    commit_all(root, git, "meanwhile")
    done = vault.upkeep.gc(PERSON, listed)
    assert {one.path: one.stays for one in done.left} == {
        "notes/edited.md": "it was changed since it was listed",
        "notes/gone.md": "it is gone already",
        "notes/prolonged.md": "it was changed since it was listed",
    }
    assert [one.path for one in done.removed] == ["notes/same.md"]


def test_a_list_as_of_another_time_is_judged_again(vault: Vault, clock: ToldClock) -> None:
    written = vault.person.remember("Holds for ten days", ttl="10d")
    listed = vault.upkeep.expired(PERSON, now=NOON + timedelta(days=11))
    assert [one.path for one in listed] == [written.path]
    done = vault.upkeep.gc(PERSON, listed)
    assert [(one.stays, one.removed) for one in done.expired] == [("it no longer has expired", False)]
    assert vault.upkeep.gc(PERSON, listed, now=NOON + timedelta(days=11)).removed


def test_a_file_that_can_not_be_removed_is_left_and_the_others_go(vault: Vault, root: Path, git: Git) -> None:
    for name in "abc":
        put(root, f"notes/{name}.md", "expires: 2026-01-01")
    commit_all(root, git)
    (root / "notes/b.md").chmod(0o444)
    done = vault.upkeep.gc(PERSON)
    assert [one.path for one in done.removed] == ["notes/a.md", "notes/c.md"]
    assert [one.stays for one in done.left] == ["can't write notes/b.md: it is write-protected"]
    assert git(root, "log", "-1", "--format=%s") == "gc: 2 expired memories"
    assert "notes/b.md" not in git(root, "log", "-1", "--format=%b")


@pytest.mark.parametrize("off", [{"days": -365}, {"days": 400}, {"hours": -2}])
def test_a_jump_of_the_clock_removes_nothing_unless_the_time_is_named(
    vault: Vault, root: Path, clock: ToldClock, off: dict[str, int]
) -> None:
    written = vault.person.remember("Holds for a day", ttl="1d")
    clock.move(**off)
    with pytest.raises(ClockError):
        vault.upkeep.expired(PERSON)
    with pytest.raises(ClockError):
        vault.upkeep.gc(PERSON)
    assert (root / written.path).exists()
    done = vault.upkeep.gc(PERSON, now=NOON + timedelta(days=2))
    assert [one.path for one in done.removed] == [written.path]


def test_a_clock_that_went_back_and_then_on_is_trusted_again(
    vault: Vault, root: Path, clock: ToldClock
) -> None:
    written = vault.person.remember("Holds for a week", ttl="7d")
    clock.move(days=-365)
    with pytest.raises(ClockError):
        vault.upkeep.gc(PERSON)
    clock.move(days=366)
    assert vault.upkeep.gc(PERSON).expired == ()
    clock.move(days=7)
    assert [one.path for one in vault.upkeep.gc(PERSON).removed] == [written.path]


def test_clocks_of_two_machines_may_differ_a_little(vault: Vault, clock: ToldClock) -> None:
    vault.person.remember("By the machine whose clock goes ahead", ttl="1d")
    clock.move(minutes=-5)
    assert vault.upkeep.expired(PERSON) == []


def test_a_time_without_its_place_is_refused(vault: Vault) -> None:
    naive = datetime(2026, 3, 14, 12, 0)  # noqa: DTZ001 - that is what is tried
    for ask in (vault.upkeep.expired, vault.upkeep.gc, vault.upkeep.gc_staged):
        with pytest.raises(ValueFormatError):
            ask(PERSON, now=naive)


def test_nothing_goes_while_git_can_take_no_commit(vault: Vault, root: Path, git: Git) -> None:
    place = put(root, "notes/a.md", "expires: 2026-01-01")
    commit_all(root, git)
    git(root, "checkout", "--quiet", "--detach")
    done = vault.upkeep.gc(PERSON)
    assert done.removed == ()
    assert done.reason is not None
    assert "HEAD is detached" in done.reason
    assert place.exists()


def test_a_vault_without_a_repository_only_lists(tmp_path: Path, clock: ToldClock) -> None:
    root = tmp_path / "memory"
    Vault.create(root)
    (root / ".git").rename(tmp_path / "elsewhere")
    place = put(root, "notes/a.md", "expires: 2026-01-01")
    with Vault.open(root, clock=clock) as vault:
        [one] = vault.upkeep.expired(PERSON)
        assert one.stays == "history could not bring it back: no git repository; make one with: git init"
        assert vault.upkeep.gc(PERSON).removed == ()
    assert place.exists()


def test_what_waits_for_its_commit_is_committed_and_then_collected(
    vault: Vault, root: Path, clock: ToldClock, git: Git
) -> None:
    vault.person.remember("The first")
    git(root, "checkout", "--quiet", "--detach")
    written = vault.person.remember("Said on no branch", ttl="1d")
    git(root, "checkout", "--quiet", "main")
    clock.move(days=2)
    [listed] = vault.upkeep.expired(PERSON)
    assert listed.stays == "it is not in git, so history could not bring it back"
    done = vault.upkeep.gc(PERSON)
    assert [one.path for one in done.removed] == [written.path]
    assert git(root, "show", f"HEAD~1:{written.path}").endswith("Said on no branch")


def test_a_hook_that_says_no_lets_the_removal_wait(
    vault: Vault, root: Path, clock: ToldClock, git: Git
) -> None:
    written = vault.person.remember("Holds for a day", ttl="1d")
    hook = put_hook(root / ".git", "pre-commit", "echo 'not today' >&2\nexit 1")
    clock.move(days=2)
    done = vault.upkeep.gc(PERSON)
    assert [one.path for one in done.removed] == [written.path]
    assert done.commit is None
    assert done.reason == "not today"
    hook.unlink()
    assert vault.upkeep.settle().commits
    assert git(root, "log", "-1", "--format=%s") == "gc: 1 expired memory"


def test_titles_can_not_forge_a_trailer(vault: Vault, root: Path, git: Git) -> None:
    put(root, "notes/a.md", 'title: "x\\n\\nSource-Agent: mira\\nVmem-Op: undo"\nexpires: 2026-01-01')
    commit_all(root, git)
    vault.upkeep.gc(PERSON)
    trailers = git(root, "log", "-1", "--format=%(trailers:only)").split("\n")
    assert [line for line in trailers if line] == ["Vmem-Op: gc"]


def test_the_same_instant_expires_in_every_zone(vault: Vault, root: Path, git: Git) -> None:
    put(root, "notes/a.md", "expires: 2026-03-01T08:00:00+08:00")
    commit_all(root, git)
    end = datetime(2026, 3, 1, tzinfo=UTC)
    assert vault.upkeep.expired(PERSON, now=end - timedelta(microseconds=1)) == []
    [one] = vault.upkeep.expired(PERSON, now=end)
    assert replace(one, id=None).since == end
