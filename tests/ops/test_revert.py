"""Taking back what an agent did: in one commit that can be undone, and all that others did since stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.byhand import vault_by_hand
from tests.gitrun import Git
from tests.stand import ToldClock
from vault_memory.errors import GitError, NotFoundError, PersonOnlyError, UsageError
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.reverted import Became, Reverted
from vault_memory.model.revision import Op
from vault_memory.surfaces.cli.app import main
from vault_memory.vault import Vault

PLAN = "---\ntitle: Plan\ntags: [a]\nimportance: 0.3\n---\none\ntwo\nthree\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A vault with a plan of the person's."""
    return vault_by_hand(tmp_path / "memory", {"shared/plan.md": PLAN})


def put(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(text.encode())


def text_of(root: Path, name: str = "shared/plan.md") -> str:
    return (root / name).read_bytes().decode()


def became(done: Reverted) -> dict[str, Became]:
    return {one.path: one.became for one in done.files}


def by_hand(root: Path, git: Git, name: str, text: str) -> None:
    put(root, name, text)
    git(root, "commit", "--quiet", "-m", "by hand", "--", name)


def test_all_that_an_agent_did_goes_in_one_commit_and_undo_brings_all_of_it_back(
    vault: Vault, root: Path, git: Git
) -> None:
    akashi = vault.agent("akashi")
    wrong = akashi.remember("wrong", title="Wrong", namespace="ops").path
    akashi.edit("Plan", importance=0.9, add_tags=["b"])
    by_hand(root, git, "shared/plan.md", text_of(root) + "four\n")
    akashi.edit("Plan", text="zero\none\ntwo\nthree\nfour\n")
    put(root, "shared/plan.md", text_of(root) + "five, not committed\n")
    gone = vault.person.remember("keep me", title="Kept", namespace="shared/ops").path
    akashi.forget("Kept")
    before = git(root, "rev-parse", "HEAD")

    told = vault.history.revert(PERSON, source_agent="akashi", dry_run=True)
    assert git(root, "rev-parse", "HEAD") == before
    done = vault.history.revert(PERSON, source_agent="Akashi")
    assert became(told) == became(done) == {
        "shared/plan.md": Became.CHANGED, wrong: Became.REMOVED, gone: Became.RESTORED,
    }  # fmt: skip
    assert told.revisions == done.revisions
    assert (told.commit, told.dry_run) == (None, True)
    assert text_of(root) == PLAN + "four\nfive, not committed\n"
    assert not (root / wrong).exists()
    assert (root / gone).exists()
    assert git(root, "status", "--porcelain", "--", "shared") == ""
    # A person's version that was not committed has a commit of its own before it.
    assert git(root, "log", "--format=%s", "-2").splitlines() == ["revert: 4 commits of akashi", "keep: Plan"]
    assert vault.history.log(PERSON, limit=1)[0].op is Op.REVERT
    for revision in done.revisions:
        assert f"{revision.commit[:12]} {revision.subject}" in git(root, "log", "-1", "--format=%B")
    assert [hit.entry.path for hit in vault.person.search("keep me").hits] == [gone]

    nothing = vault.history.revert(PERSON, source_agent="akashi")
    assert (nothing.files, nothing.commit) == ((), None)
    assert len(vault.person.undo()) == 3
    assert (root / wrong).exists()
    assert "zero" in text_of(root)
    assert became(vault.history.revert(PERSON, source_agent="akashi")) == became(done)


def test_what_somebody_changed_since_stays_and_is_named(vault: Vault, root: Path, git: Git) -> None:
    akashi = vault.agent("akashi")
    new = akashi.remember("new", title="New", namespace="ops").path
    akashi.edit("Plan", importance=0.9, text="ONE\ntwo\nthree\n")
    by_hand(root, git, "shared/plan.md", text_of(root).replace("ONE", "one!").replace("0.9", "0.8"))
    vault.agent("mira").edit("New", add_tags=["seen"])
    kept = text_of(root), text_of(root, new)
    done = vault.history.revert(PERSON, source_agent="akashi")
    assert [(one.became, one.kept) for one in done.files] == [
        (Became.LEFT, "it is new, and was edited since by mira"),
        (Became.LEFT, "the same was changed since by Test Person"),
    ]
    assert (text_of(root), text_of(root, new)) == kept
    assert done.commit is None


def test_time_and_namespace_and_a_memory_choose_among_an_agents_commits(
    vault: Vault, root: Path, clock: ToldClock
) -> None:
    akashi = vault.agent("akashi")
    old = akashi.remember("old", title="Old", namespace="ops").path
    akashi.edit("Plan", importance=0.4)
    clock.move(days=3)
    late = akashi.remember("late", title="Late", namespace="ops").path
    other = akashi.remember("other", title="Other", namespace="market").path
    akashi.edit("Plan", importance=0.5)

    def named(**choice: str) -> set[str]:
        return set(became(vault.history.revert(PERSON, source_agent="akashi", dry_run=True, **choice)))

    assert named() == {"shared/plan.md", old, late, other}
    assert named(since="2026-03-16") == {"shared/plan.md", late, other}
    assert named(until="2026-03-16") == {"shared/plan.md", old}
    assert named(since="2026-03-16", namespace="ops") == {late}
    assert named(what="Plan") == {"shared/plan.md"}
    vault.history.revert(PERSON, source_agent="akashi", since="2026-03-16", what="Plan")
    assert "importance: 0.4" in text_of(root)


def test_a_commit_is_taken_back_with_all_its_files_and_a_memory_by_its_last_change(
    vault: Vault, root: Path, git: Git
) -> None:
    for name in ("a", "b"):
        put(root, f"notes/{name}.md", f"{name}\nend\n")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "two notes")
    put(root, "notes/a.md", "start\na\nend\n")
    git(root, "rm", "--quiet", "notes/b.md")
    git(root, "commit", "--quiet", "--all", "-m", "changed both")
    commit = git(root, "rev-parse", "HEAD")
    by_hand(root, git, "notes/a.md", "start\na\nend\nmore\n")
    done = vault.history.revert(PERSON, commit[:9])
    assert became(done) == {"notes/a.md": Became.CHANGED, "notes/b.md": Became.RESTORED}
    assert text_of(root, "notes/a.md") == "a\nend\nmore\n"
    trailers = git(root, "log", "-1", "--format=%(trailers:only,unfold)")
    assert trailers.splitlines() == ["Vmem-Op: revert", f"Vmem-Undoes: {commit}"]
    vault.person.edit("Plan", importance=0.9)
    vault.history.revert(PERSON, "Plan")
    assert text_of(root) == PLAN
    vault.history.revert(PERSON, "HEAD")
    assert "importance: 0.9" in text_of(root)


def test_a_memory_that_an_agent_moved_goes_back_and_one_that_others_moved_is_found(
    vault: Vault, root: Path, git: Git
) -> None:
    akashi = vault.agent("akashi")
    vault.files.move(akashi.scope, "Plan", "shared/deep/plan.md")
    akashi.edit("Plan", importance=0.9)
    done = vault.history.revert(PERSON, source_agent="akashi")
    [one] = done.files
    assert (one.became, one.came_from, one.path) == (Became.MOVED, "shared/deep/plan.md", "shared/plan.md")
    assert text_of(root) == PLAN
    assert not (root / "shared/deep/plan.md").exists()
    vault.person.undo()
    assert "importance: 0.9" in text_of(root, "shared/deep/plan.md")
    assert not (root / "shared/plan.md").exists()
    vault.history.revert(PERSON, source_agent="akashi")
    akashi.edit("Plan", importance=0.9)
    git(root, "mv", "shared/plan.md", "shared/elsewhere.md")
    git(root, "commit", "--quiet", "-m", "moved by hand")
    vault.history.revert(PERSON, source_agent="akashi")
    assert text_of(root, "shared/elsewhere.md") == PLAN


def test_nothing_goes_where_another_file_lies_by_now(vault: Vault, root: Path, git: Git) -> None:
    vault.agent("akashi").forget("Plan")
    by_hand_text = "another\n"
    put(root, "shared/plan.md", by_hand_text)
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "another plan")
    [one] = vault.history.revert(PERSON, source_agent="akashi").files
    assert one.became is Became.LEFT
    assert one.kept
    assert text_of(root) == by_hand_text


def test_in_merged_lines_of_history_each_change_is_taken_out_of_what_is_there(
    vault: Vault, root: Path, git: Git
) -> None:
    git(root, "checkout", "--quiet", "-b", "side")
    vault.agent("akashi").edit("Plan", text="one\ntwo\nwrong\nthree\n")
    git(root, "checkout", "--quiet", "-")
    by_hand(root, git, "shared/plan.md", PLAN.replace("tags: [a]", "tags: [a, mine]"))
    git(root, "merge", "--quiet", "-m", "merged", "side")
    assert "wrong" in text_of(root)
    vault.history.revert(PERSON, source_agent="akashi")
    assert text_of(root) == PLAN.replace("tags: [a]", "tags: [a, mine]")


def test_of_a_shallow_clone_nothing_is_guessed(vault: Vault, root: Path, tmp_path: Path, git: Git) -> None:
    vault.agent("akashi").edit("Plan", importance=0.9)
    git(tmp_path, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")
    with Vault.open(tmp_path / "shallow") as shallow:
        [one] = shallow.history.revert(PERSON, source_agent="akashi").files
        assert one.became is Became.LEFT
        assert "unshallow" in (one.kept or "")


def test_what_is_staged_stays_as_it_is_and_the_rest_goes(vault: Vault, root: Path, git: Git) -> None:
    akashi = vault.agent("akashi")
    wrong = akashi.remember("wrong", title="Wrong", namespace="ops").path
    akashi.edit("Plan", importance=0.9)
    put(root, "shared/plan.md", text_of(root) + "staged\n")
    git(root, "add", "shared/plan.md")
    put(root, "shared/plan.md", text_of(root) + "and not\n")
    before = text_of(root), git(root, "diff", "--cached")
    done = vault.history.revert(PERSON, source_agent="akashi")
    assert became(done) == {"shared/plan.md": Became.LEFT, wrong: Became.REMOVED}
    assert (text_of(root), git(root, "diff", "--cached")) == before
    assert [one.subject for one in done.revisions] == ["remember: Wrong"]


def test_only_the_person_may_and_each_refusal_says_what_to_do(vault: Vault, root: Path, git: Git) -> None:
    vault.agent("akashi").edit("Plan", importance=0.9)
    for scope, arguments, error, hint in (
        (Scope("akashi"), {"source_agent": "akashi"}, PersonOnlyError, "vmem undo"),
        (PERSON, {"source_agent": "mira"}, NotFoundError, "vmem log"),
        (PERSON, {"what": "no such thing"}, NotFoundError, "no commit either"),
    ):
        with pytest.raises(error) as told:
            vault.history.revert(scope, **arguments)  # type: ignore[arg-type]  # as a caller may
        assert hint in str(told.value.hint)
    for arguments in ({}, {"what": "Plan", "since": "7d"}, {"what": "HEAD", "source_agent": "akashi"}):
        with pytest.raises(UsageError):
            vault.history.revert(PERSON, **arguments)  # type: ignore[arg-type]  # as a caller may
    (root / ".git" / "MERGE_HEAD").write_text(git(root, "rev-parse", "HEAD") + "\n")
    before = text_of(root)
    with pytest.raises(GitError, match="no commit can be made now"):
        vault.history.revert(PERSON, source_agent="akashi")
    assert text_of(root) == before


def test_the_command_tells_what_became_of_each_and_json_the_same(
    vault: Vault, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    akashi = vault.agent("akashi")
    wrong = akashi.remember("wrong", title="Wrong", namespace="ops").path
    akashi.edit("Plan", importance=0.9)
    at = ["--vault", str(root)]
    assert main([*at, "revert", "--source-agent", "akashi", "--dry-run"]) == 0
    assert capsys.readouterr().out == (
        f"  {wrong}   removed\n  shared/plan.md   changed back\n"
        "2 commits would be taken back, in one commit: 2 memories. Nothing was changed.\n"
    )
    assert main([*at, "revert", "--source-agent", "akashi", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["became"] for one in told["memories"]] == ["removed", "changed"]
    assert told["commit"]
    assert [one["agent"] for one in told["commits"]] == ["akashi"] * 2
    assert main([*at, "revert", "--source-agent", "akashi"]) == 0
    assert capsys.readouterr().out == "Nothing of 2 commits is left to take back.\n"
    assert main([*at, "--agent", "akashi", "revert", "HEAD"]) == 77
