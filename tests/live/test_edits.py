"""A person's edits are committed in their name after a pause, where that was asked for; never otherwise."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from tests.gitrun import run_git
from tests.live.scene import WORDS_ALONE, eventually
from vault_memory import compose
from vault_memory.live.edits import Edits
from vault_memory.live.following import Following
from vault_memory.model.edits import Kept
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import Unstaged
from vault_memory.ops.edits import keep_edits
from vault_memory.ports import History
from vault_memory.vault import Vault

PAUSE = 0.4


class Desk:
    """A followed vault whose edits are committed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.kept: list[Kept] = []
        self.opened = compose.open_vault(root, flags=WORDS_ALONE)
        self.edits = Edits(self.opened, self.kept.append, settle=self._settle, pause=PAUSE)
        self.following = Following(self.opened, compose.watch(self.opened), stirred=self.edits.stir)
        self.vault = Vault(self.opened, vouched=lambda: self.following.catch_up(30))

    def _settle(self) -> object:
        return self.following.catch_up(30)

    def begin(self) -> None:
        self.edits.start()
        self.following.start()
        self.following.catch_up(30)

    def end(self) -> None:
        self.edits.close()
        self.following.close()
        self.opened.close()

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def git(self, *arguments: str) -> str:
        return run_git(self.root, *arguments)

    def commits(self) -> list[list[str]]:
        """The files of each commit, oldest first, each with its letter."""
        found = self.git("log", "--reverse", "--no-renames", "--name-status", "--format=%x01").split("\x01")
        return [sorted(one.split("\n\n")[-1].strip().splitlines()) for one in found if one.strip()]

    def is_clean(self) -> bool:
        return self.git("status", "--porcelain", "--untracked-files=all", "--", "notes", "shared") == ""


@contextmanager
def opened_vault(root: Path) -> Iterator[compose.Opened]:
    opened = compose.open_vault(root, flags=WORDS_ALONE)
    yield opened
    opened.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    Vault.create(root)
    (root / "notes").mkdir()
    (root / "notes/a.md").write_text("---\ntitle: Heron\n---\nthe heron stands\n", encoding="utf-8")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=mine")
    return root


@pytest.fixture
def desk(root: Path) -> Iterator[Desk]:
    threads = set(threading.enumerate())
    desk = Desk(root)
    desk.begin()
    yield desk
    desk.end()
    assert set(threading.enumerate()) <= threads


def test_one_change_is_one_commit_after_the_pause_and_the_file_is_not_touched(desk: Desk) -> None:
    for text in ("first", "second", "third"):
        desk.write("notes/a.md", f"---\ntitle: Heron\n---\nthe {text} text\n")
        time.sleep(PAUSE / 4)
    before = (desk.root / "notes/a.md").stat()
    eventually(lambda: desk.kept)
    after = (desk.root / "notes/a.md").stat()
    assert (before.st_mtime_ns, before.st_ctime_ns, before.st_ino) == (
        after.st_mtime_ns,
        after.st_ctime_ns,
        after.st_ino,
    )
    assert desk.commits()[1:] == [["M\tnotes/a.md"]]
    assert (
        desk.git("log", "-1", "--format=%an <%ae>|%s") == "Test Person <person@example.invalid>|keep: Heron"
    )
    assert desk.git("show", "HEAD:notes/a.md").endswith("the third text")
    time.sleep(2 * PAUSE)  # an endless loop of its own making would make more
    assert len(desk.commits()) == 2


def test_a_burst_is_one_commit_that_holds_just_its_files(desk: Desk) -> None:
    desk.write("app.py", "print('not a memory')\n")
    desk.write("notes/b.md", "an owl\n")
    desk.write("notes/deep/c.md", "a newt\n")
    (desk.root / "notes/a.md").rename(desk.root / "notes/heron.md")
    eventually(lambda: desk.kept)
    assert desk.commits()[1:] == [
        ["A\tnotes/b.md", "A\tnotes/deep/c.md", "A\tnotes/heron.md", "D\tnotes/a.md"]
    ]
    assert desk.git("log", "-1", "--format=%s") == "keep: 4 notes: b, c, Heron, …"
    assert desk.is_clean()
    assert desk.git("status", "--porcelain", "--", "app.py") == "?? app.py"


def test_a_folder_of_500_notes_that_is_renamed_is_one_commit_of_renames(desk: Desk) -> None:
    for number in range(500):
        desk.write(f"notes/big/{number}.md", f"note number {number}\n")
    eventually(desk.is_clean)
    (desk.root / "notes/big").rename(desk.root / "notes/bigger")
    eventually(lambda: not (desk.root / "notes/big").exists() and desk.is_clean())
    assert len(desk.commits()) == 3
    renames = desk.git("show", "--format=", "--name-status", "--find-renames", "-l2000").splitlines()
    assert len(renames) == 500
    assert {line.partition("\t")[0] for line in renames} == {"R100"}


def test_what_vmem_writes_is_committed_as_its_own(desk: Desk) -> None:
    desk.vault.agent("akashi").remember("an owl of akashi", title="Owl")
    desk.write("notes/b.md", "a newt of mine\n")
    eventually(lambda: desk.kept)
    assert desk.git("log", "--format=%an: %s").splitlines() == [
        "Test Person: keep: b",
        "akashi: remember: Owl",
        "Test Person: mine",
    ]


class AskedBefore:
    """Git, asked what differs a moment before the last memory was committed."""

    def __init__(self, history: History, then: Unstaged) -> None:
        self._history, self._then = history, then

    def __getattr__(self, name: str) -> object:
        return getattr(self._history, name)

    def unstaged(self) -> Unstaged:
        return self._then


def test_what_vmem_committed_after_git_was_asked_is_nobodys_edit(root: Path) -> None:
    with opened_vault(root) as opened:
        owl = Vault(opened).agent("akashi").remember("an owl of akashi").path
        (root / "notes/b.md").write_text("a newt of mine\n", encoding="utf-8")
        then = Unstaged(free=(VaultPath("notes/b.md"), owl), staged=())
        asked = replace(opened.ports, history=cast("History", AskedBefore(opened.ports.history, then)))
        assert [path for _, path in keep_edits(asked, opened.settings, wait=1).files] == ["notes/b.md"]


def test_an_agent_that_writes_all_the_while_does_not_put_it_off(desk: Desk) -> None:
    desk.write("notes/b.md", "a newt of mine\n")
    until = time.monotonic() + 60
    number = 0
    while not any(kept.files for kept in desk.kept):  # git may be at work at the first try
        number += 1
        desk.vault.agent("akashi").remember(f"owl number {number}")
        assert time.monotonic() < until
    assert [path for kept in desk.kept for _, path in kept.files] == ["notes/b.md"]


def test_staged_and_half_staged_files_are_a_persons_own_to_commit(desk: Desk) -> None:
    desk.write("notes/staged.md", "all of it staged\n")
    desk.write("notes/half.md", "staged\n")
    desk.write("notes/gone.md", "staged, and deleted since\n")
    desk.git("add", "notes/staged.md", "notes/half.md", "notes/gone.md")
    desk.write("notes/half.md", "staged\nand more\n")
    (desk.root / "notes/gone.md").unlink()
    (desk.root / "notes/a.md").write_text("staged change\n", encoding="utf-8")
    desk.git("add", "notes/a.md")
    (desk.root / "notes/a.md").unlink()
    desk.write("notes/free.md", "an owl\n")
    before = desk.git("diff", "--cached")
    eventually(lambda: desk.kept)
    assert desk.commits()[1:] == [["A\tnotes/free.md"]]
    assert desk.git("diff", "--cached") == before
    left = {path for kept in desk.kept for path, _ in kept.left}
    assert left == {"notes/a.md", "notes/gone.md", "notes/half.md", "notes/staged.md"}
    desk.git("reset", "--quiet")
    desk.write("notes/free.md", "an owl, once more\n")
    eventually(desk.is_clean)
    assert desk.commits()[-1] == [
        "A\tnotes/half.md",
        "A\tnotes/staged.md",
        "D\tnotes/a.md",
        "M\tnotes/free.md",
    ]


def test_a_secret_is_left_and_named_and_the_rest_is_committed(desk: Desk) -> None:
    secret = "ghp_" + "0123456789abcdefghij" + "ABCDEFGHIJ012345"
    desk.write("notes/b.md", f"the key is {secret}\n")
    desk.write("notes/c.md", "an owl\n")
    eventually(lambda: desk.kept)
    assert desk.commits()[1:] == [["A\tnotes/c.md"]]
    [(path, reason)] = desk.kept[0].left
    assert path == "notes/b.md"
    assert "secret (github-token in line 1)" in reason
    assert secret not in desk.git("log", "--all", "--patch")
    desk.write("notes/b.md", "the key lies in the safe\n")
    eventually(desk.is_clean)


def test_nothing_is_committed_during_a_merge_and_all_of_it_after(desk: Desk) -> None:
    desk.git("switch", "--quiet", "--create", "other")
    desk.write("notes/a.md", "theirs\n")
    desk.git("commit", "--quiet", "--all", "--message=theirs")
    desk.git("switch", "--quiet", "main")
    desk.write("notes/a.md", "ours\n")
    desk.git("commit", "--quiet", "--all", "--message=ours")
    with pytest.raises(AssertionError, match="git merge"):
        desk.git("merge", "--quiet", "other")
    commits = len(desk.commits())
    desk.write("notes/b.md", "an owl meanwhile\n")
    eventually(lambda: any(kept.reason for kept in desk.kept))
    assert "a merge is under way" in str([kept.reason for kept in desk.kept if kept.reason])
    time.sleep(2 * PAUSE)
    assert len(desk.commits()) == commits
    assert "<<<<<<<" in (desk.root / "notes/a.md").read_text()
    desk.git("merge", "--abort")
    eventually(desk.is_clean)
    assert desk.commits()[-1] == ["A\tnotes/b.md"]


def test_markers_that_a_stash_left_are_not_committed(desk: Desk) -> None:
    desk.write("notes/b.md", "<<<<<<< Updated upstream\nmine\n=======\nyours\n>>>>>>> Stashed changes\n")
    desk.write("notes/c.md", "an owl\n")
    eventually(lambda: desk.kept)
    assert desk.commits()[1:] == [["A\tnotes/c.md"]]
    assert desk.kept[0].left == (("notes/b.md", "a merge left its markers in it"),)


def test_what_is_no_memory_is_never_committed(desk: Desk) -> None:
    desk.write(".gitignore", "out/\n")
    desk.git("add", ".gitignore")
    desk.git("commit", "--quiet", "--message=rules")
    for name in ("out/x.md", "notes/~$x.md", "notes/x.md~", ".obsidian/x.md", "node_modules/x/y.md"):
        desk.write(name, "not a memory\n")
    desk.git("add", "--force", "node_modules/x/y.md")
    desk.git("commit", "--quiet", "--message=a package")
    (desk.root / "node_modules/x/y.md").unlink()
    commits = len(desk.commits())
    desk.write("notes/c.md", "an owl\n")
    eventually(lambda: desk.kept)
    assert desk.commits()[commits:] == [["A\tnotes/c.md"]]
    assert desk.kept[0].left == ()


def test_what_lay_uncommitted_before_is_committed_too(root: Path) -> None:
    (root / "notes/b.md").write_text("an owl from before\n", encoding="utf-8")
    desk = Desk(root)
    desk.begin()
    try:
        eventually(lambda: desk.kept)
        assert desk.commits()[1:] == [["A\tnotes/b.md"]]
    finally:
        desk.end()


def test_what_is_in_its_pause_is_committed_at_the_end(root: Path) -> None:
    desk = Desk(root)
    desk.edits._pause = 3600.0
    desk.begin()
    assert len(desk.commits()) == 1
    desk.write("notes/b.md", "an owl, saved at the last moment\n")
    desk.end()
    assert desk.commits()[1:] == [["A\tnotes/b.md"]]


def test_without_it_vmem_commits_nothing_of_a_persons(root: Path) -> None:
    opened = compose.open_vault(root, flags=WORDS_ALONE)
    following = Following(opened, compose.watch(opened))
    following.start()
    try:
        for number in range(3):
            (root / "notes/a.md").write_text(f"change {number}\n", encoding="utf-8")
            assert following.catch_up(30) == ()
    finally:
        following.close()
        opened.close()
    assert run_git(root, "log", "--format=%s").splitlines() == ["mine"]
    assert run_git(root, "status", "--porcelain", "--", "notes") == " M notes/a.md"


def test_a_question_changes_no_file_and_two_branches_of_questions_merge(desk: Desk) -> None:
    before = (desk.root / "notes/a.md").stat().st_mtime_ns
    for branch in ("one", "two"):
        desk.git("switch", "--quiet", "--create", branch, "main")
        for _ in range(100):
            assert desk.vault.person.recall("heron").items
        desk.write(f"notes/{branch}.md", f"text of {branch}\n")
        eventually(desk.is_clean)
    desk.git("merge", "--quiet", "--no-edit", "one")
    assert (desk.root / "notes/a.md").stat().st_mtime_ns == before
    assert len(desk.git("log", "-1", "--format=%P").split()) == 2


def test_an_agent_sees_no_title_of_anothers_private_notes(desk: Desk) -> None:
    desk.write("private/akashi/plan.md", "---\ntitle: The hidden plan\n---\nx\n")
    desk.write("notes/b.md", "an owl\n")
    eventually(lambda: desk.kept)
    told = [one.subject for one in desk.vault.history.log(Scope("other"))]
    assert len(told) == 2
    assert "hidden" not in str(told)
