"""A memory's commit holds that one file: whatever else a person has staged or left lies as it lay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, sound, work
from tests.cases.blockers import config, hook
from tests.gitrun import run_git
from vault_memory.vault import Vault

OURS = ("memory/",)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository of code, with work of every kind under way."""
    top = tmp_path / "code"
    top.mkdir()
    run_git(top, "init", "--quiet")
    numbered = "".join(f"line {number}\n" for number in range(40))
    for name in ("app.py", "b.py", "gone.py", "old name.py", "mode.sh", "docs/other-note.md", "wörk.txt"):
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(name + "\n" + numbered)
    run_git(top, "add", "--all")
    run_git(top, "commit", "--quiet", "--message=code")
    return top


def begin_work(top: Path) -> None:
    """Staged, half staged, staged for removal, renamed, made executable, intended, and untracked."""
    (top / "app.py").write_text("all new\n")
    run_git(top, "add", "app.py")
    text = (top / "b.py").read_text()
    (top / "b.py").write_text(text.replace("line 2\n", "line two\n").replace("line 30\n", "line thirty\n"))
    both = run_git(top, "diff", "--unified=1", "b.py")
    first = both[: both.index("@@", both.index("line two"))]
    run_git(top, "apply", "--cached", "-", stdin=first)
    run_git(top, "rm", "--quiet", "gone.py")
    run_git(top, "mv", "old name.py", "new name.py")
    (top / "mode.sh").chmod(0o755)
    run_git(top, "add", "mode.sh")
    (top / "intended.txt").write_text("soon\n")
    run_git(top, "add", "--intent-to-add", "intended.txt")
    (top / "draft.txt").write_text("untracked\n")
    (top / "docs/other-note.md").write_text("edited and saved, not for git yet\n")
    (top / "wörk.txt").unlink()


@pytest.fixture
def desk(top: Path) -> Desk:
    Vault.create(top / "memory")
    desk = Desk(top / "memory")
    desk.vmem(
        "--agent", "akashi", "remember", "The harbour closes at nine", "--title", "Harbour", "-n", "sea"
    )
    begin_work(top)
    staged = run_git(top, "diff", "--cached", "--name-status").splitlines()
    assert "M\tb.py" in staged
    assert "+line two" in run_git(top, "diff", "--cached", "b.py")
    assert "+line thirty" in run_git(top, "diff", "b.py")
    return desk


ROADS: dict[str, Callable[[Path], object]] = {
    "plain": lambda top: None,
    "hooks": lambda top: hook(top, "pre-commit", "exit 0"),
    "a hook that looks at the index": lambda top: hook(top, "post-commit", "git diff --cached; git status"),
    "git moves the branch": lambda top: hook(top, "reference-transaction", "exit 0"),
    "version 4 of the index": lambda top: run_git(top, "update-index", "--index-version", "4"),
    "split index": lambda top: run_git(top, "update-index", "--split-index"),
    "untracked cache": lambda top: run_git(top, "update-index", "--force-untracked-cache"),
    "line ends": lambda top: config(top, ("core.autocrlf", "input")),
}  # fmt: skip


@pytest.mark.parametrize("road", ROADS)
def test_every_write_leaves_the_persons_work_as_it_was(desk: Desk, top: Path, road: str) -> None:
    ROADS[road](top)
    before = work(top, without=OURS)
    akashi = ("--agent", "akashi")
    ferry = desk.json(*akashi, "remember", "Ferries sail north", "--title", "Ferry", "-n", "sea")
    assert ferry["committed"]
    ops = (
        ("edit", "Ferry", "--importance", "0.9"),
        ("forget", "Harbour"),
        ("restore", "Harbour"),
        ("edit", "Ferry", "--add-tag", "north"),
        ("undo",),
    )
    for op in ops:
        answer = desk.json(*akashi, *op)
        [written] = answer if op == ("undo",) else [answer]
        assert written["committed"] == run_git(top, "rev-parse", "HEAD"), op
        changed = run_git(top, "show", "--format=", "--name-only", "--no-renames", "HEAD").splitlines()
        assert changed == [f"memory/{written['path']}"], op
        assert work(top, without=OURS) == before, op
    assert run_git(top, "status", "--porcelain", "--", "memory/shared") == ""
    assert (top / "memory" / ferry["path"]).exists()
    sound(top)


def test_what_is_reviewed_exchanged_and_taken_back_leaves_the_persons_work_as_it_was(
    desk: Desk, top: Path
) -> None:
    run_git(top, "init", "--quiet", "--bare", "../there.git")
    run_git(top, "remote", "add", "origin", "../there.git")
    run_git(top, "push", "--quiet", "origin", "HEAD:refs/heads/main")
    run_git(top.parent, "clone", "--quiet", "there.git", "other")
    Vault.create(top.parent / "other/memory")
    Desk(top.parent / "other/memory").json("remember", "Elsewhere it rains", "--title", "Rain")
    run_git(top.parent / "other", "push", "--quiet", "origin", "HEAD:refs/heads/main")
    before = work(top, without=OURS)
    akashi = ("--agent", "akashi")
    for op in (
        (*akashi, "remember", "Ferries sail north", "--title", "Ferry", "-n", "sea", "--propose=sea"),
        (*akashi, "edit", "Harbour", "--importance", "0.9", "--propose=sea"),
        (*akashi, "recall", "ferries", "--proposals"),
        ("recall", "harbour", "--at", "HEAD"),
        ("recall", "harbour", "--at", "memory/akashi/sea"),
        ("diff",),
        ("diff", "HEAD...memory/akashi/sea"),
        ("diff", "--staged"),
        ("review", "sea"),
        ("review", "sea", "--accept"),
        ("sync",),
        ("blame", "Harbour"),
        ("revert", "--source-agent", "akashi", "--namespace", "sea"),
        ("undo",),
        ("bisect", "ferries", "--expect", "Ferry"),
    ):
        desk.json(*op)
        assert work(top, without=OURS) == before, op
    assert {one["title"] for one in desk.json("list")} == {"Harbour", "Ferry", "Rain"}
    assert run_git(top, "status", "--porcelain", "--", "memory/shared", "memory/notes") == ""
    sound(top)


def test_the_commit_says_who_did_what_to_which_memory(desk: Desk, top: Path) -> None:
    written = desk.json("--agent", "akashi", "remember", "Ferries sail north", "--title", "Ferry")
    line = run_git(top, "log", "-1", "--format=%an|%ae|%cn|%ce|%s")
    assert line == "akashi|akashi@agents.invalid|Test Person|person@example.invalid|remember: Ferry"
    assert run_git(top, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()[:3] == [
        f"Memory-Id: {written['id']}",
        "Source-Agent: akashi",
        "Vmem-Op: remember",
    ]
    desk.json("edit", "Ferry", "--importance", "0.9")
    line = run_git(top, "log", "-1", "--format=%an|%ae|%cn|%ce|%s")
    assert line == "Test Person|person@example.invalid|Test Person|person@example.invalid|edit: Ferry"
    assert "Source-Agent" not in run_git(top, "log", "-1", "--format=%B")


def test_a_title_can_forge_neither_a_trailer_nor_a_second_line(desk: Desk, top: Path) -> None:
    title = "Ferry\n\nMemory-Id: 01AAAAAAAAAAAAAAAAAAAAAAAA\nVmem-Op: forget"
    written = desk.json("remember", "Ferries sail north", "--title", title)
    trailers = run_git(top, "log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert [line for line in trailers if line] == [f"Memory-Id: {written['id']}", "Vmem-Op: remember"]
    assert len(run_git(top, "log", "-1", "--format=%s").splitlines()) == 1


def test_a_persons_change_is_committed_as_theirs_before_an_agents_edit(desk: Desk, top: Path) -> None:
    file = desk.root / "shared/sea/harbour.md"
    theirs = file.read_bytes() + b"Ask for the key at the office.\n"
    file.write_bytes(theirs)
    before = work(top, without=OURS)
    edited = desk.json("--agent", "akashi", "edit", "Harbour", "--importance", "0.9")
    lines = run_git(top, "log", "-2", "--format=%an: %s").splitlines()
    assert lines == ["akashi: edit: Harbour", "Test Person: keep: Harbour"]
    assert run_git(top, "show", "HEAD~1:memory/shared/sea/harbour.md").encode() + b"\n" == theirs
    for commit in ("HEAD", "HEAD~1"):
        changed = run_git(top, "show", "--format=", "--name-only", commit)
        assert changed == "memory/shared/sea/harbour.md"
    assert edited["committed"] == run_git(top, "rev-parse", "HEAD")
    assert work(top, without=OURS) == before
    diff = run_git(top, "diff", "--numstat", "HEAD~1", "HEAD").split("\t")[:2]
    assert diff in (["1", "0"], ["1", "1"])


def test_a_persons_change_is_in_history_when_the_memory_is_forgotten(desk: Desk, top: Path) -> None:
    file = desk.root / "shared/sea/harbour.md"
    theirs = file.read_bytes() + b"Ask for the key at the office.\n"
    file.write_bytes(theirs)
    assert desk.json("--agent", "akashi", "forget", "Harbour")["committed"]
    assert not file.exists()
    assert run_git(top, "log", "-2", "--format=%an: %s").splitlines() == [
        "akashi: forget: Harbour",
        "Test Person: keep: Harbour",
    ]
    desk.json("--agent", "akashi", "restore", "Harbour")
    assert file.read_bytes() == theirs


def test_a_persons_new_file_is_committed_as_theirs_before_an_edit(desk: Desk, top: Path) -> None:
    note = desk.root / "notes" / "tides.md"
    note.parent.mkdir()
    note.write_text("---\ntitle: Tides\n---\nHigh water at six.\n")
    assert desk.json("edit", "Tides", "--importance", "0.9")["committed"]
    assert run_git(top, "log", "-2", "--format=%an: %s").splitlines() == [
        "Test Person: edit: Tides",
        "Test Person: keep: Tides",
    ]
    assert run_git(top, "show", "HEAD~1:memory/notes/tides.md").endswith("High water at six.")


def test_a_wholly_staged_change_is_kept_as_theirs_and_leaves_the_index(desk: Desk, top: Path) -> None:
    file = desk.root / "shared/sea/harbour.md"
    file.write_bytes(file.read_bytes() + b"Ask for the key at the office.\n")
    run_git(top, "add", "memory/shared/sea/harbour.md")
    assert desk.json("edit", "Harbour", "--importance", "0.9")["committed"]
    assert run_git(top, "log", "-2", "--format=%s").splitlines() == ["edit: Harbour", "keep: Harbour"]
    assert run_git(top, "status", "--porcelain", "--", "memory/shared") == ""


@pytest.mark.parametrize("command", [("edit", "Harbour", "--importance", "0.9"), ("forget", "Harbour")])
def test_a_partly_staged_memory_is_left_alone(desk: Desk, top: Path, command: tuple[str, ...]) -> None:
    file = desk.root / "shared/sea/harbour.md"
    file.write_bytes(file.read_bytes() + b"Staged.\n")
    run_git(top, "add", "memory/shared/sea/harbour.md")
    file.write_bytes(file.read_bytes() + b"Not staged.\n")
    before, head = work(top), run_git(top, "rev-parse", "HEAD")
    said = desk.vmem("--agent", "akashi", *command)
    assert said.code == 75
    assert said.out == ""
    assert said.err == (
        "vmem: shared/sea/harbour.md: part of your change to it is staged\n"
        "      commit or unstage it first: git status shows it\n"
    )
    assert (work(top), run_git(top, "rev-parse", "HEAD")) == (before, head)
    assert desk.waiting() == []
    # The person's commit makes the way free.
    run_git(top, "commit", "--quiet", "--message=theirs", "memory/shared/sea/harbour.md")
    assert desk.json("--agent", "akashi", *command)["committed"]


def test_a_persons_change_that_git_can_not_take_now_refuses_the_edit(desk: Desk, top: Path) -> None:
    file = desk.root / "shared/sea/harbour.md"
    theirs = file.read_bytes() + b"Ask for the key at the office.\n"
    file.write_bytes(theirs)
    (top / ".git" / "MERGE_HEAD").write_text(run_git(top, "rev-parse", "HEAD") + "\n")
    for command in (("edit", "Harbour", "--importance", "0.9"), ("forget", "Harbour")):
        said = desk.vmem(*command)
        assert said.code == 75
        assert "it holds a change of yours that git can't commit now: a merge is under way" in said.err
        assert file.read_bytes() == theirs
    assert desk.waiting() == []
    (top / ".git" / "MERGE_HEAD").unlink()
    desk.json("remember", "something else")
    assert run_git(top, "log", "-1", "--format=%s") == "remember: something else"
    assert run_git(top, "status", "--porcelain", "--", "memory/shared") == " M memory/shared/sea/harbour.md"
    assert desk.json("edit", "Harbour", "--importance", "0.9")["committed"]
    assert run_git(top, "log", "-2", "--format=%s").splitlines() == ["edit: Harbour", "keep: Harbour"]


def test_a_person_may_change_and_commit_a_memory_that_waits(desk: Desk, top: Path) -> None:
    head = run_git(top, "rev-parse", "HEAD")
    run_git(top, "switch", "--quiet", "--detach")
    ferry = desk.json("remember", "Ferries sail north", "--title", "Ferry")
    file = desk.root / ferry["path"]
    file.write_bytes(file.read_bytes() + b"And south.\n")
    run_git(top, "switch", "--quiet", "main")
    assert run_git(top, "rev-parse", "HEAD") == head
    assert desk.waiting() == []
    lamp = desk.json("remember", "The lamp is new", "--title", "Lamp")
    # What the file now holds is the person's to commit.
    assert run_git(top, "log", "-1", "--format=%s") == "remember: Lamp"
    assert run_git(top, "status", "--porcelain", "--", "memory/notes") == f"?? memory/{ferry['path']}"
    run_git(top, "commit", "--quiet", "--message=theirs", "memory/" + lamp["path"], "docs/other-note.md")
    assert desk.json("edit", "Ferry", "--importance", "0.9")["committed"]
    assert run_git(top, "log", "-2", "--format=%an %s").splitlines() == [
        "Test Person edit: Ferry",
        "Test Person keep: Ferry",
    ]
    sound(top)


def test_what_a_person_deleted_is_theirs_to_commit(desk: Desk, top: Path) -> None:
    (desk.root / "shared/sea/harbour.md").unlink()
    said = desk.vmem("forget", "Harbour")
    assert said.code == 3
    desk.json("remember", "Ferries sail north", "--title", "Ferry")
    assert run_git(top, "status", "--porcelain", "--", "memory/shared") == " D memory/shared/sea/harbour.md"
