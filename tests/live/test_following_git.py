"""A person's git changes very many files at once: at rest the index is what a rebuild would make."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.live.scene import Scene, eventually, followed
from vault_memory.adapters.files.watch import kernel
from vault_memory.adapters.files.watch.kernel import KernelWatch
from vault_memory.vault import Vault

MEMORIES, CHANGED, DELETED, ADDED = 1000, 400, 200, 200
"""A fifth of what a person's branch switch may be; the whole was measured apart."""


def note(root: Path, number: int, text: str) -> None:
    file = root / f"notes/{number // 100}/{number}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'---\nid: "01M8N98J{number:018}"\n---\n{text} {number}\n', encoding="utf-8")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """Branch main, and a branch `b` with very many differences."""
    root = tmp_path / "memory"
    Vault.create(root)

    def commit(message: str) -> None:
        run_git(root, "add", "--all")
        run_git(root, "commit", "--quiet", f"--message={message}")

    for number in range(MEMORIES):
        note(root, number, "a heron of main")
    commit("all")
    run_git(root, "switch", "--quiet", "--create", "b")
    for number in range(CHANGED):
        note(root, number, "an owl of b")
    for number in range(MEMORIES - DELETED, MEMORIES):
        (root / f"notes/{number // 100}/{number}.md").unlink()
    for number in range(MEMORIES, MEMORIES + ADDED):
        note(root, number, "a newt of b")
    commit("many")
    run_git(root, "switch", "--quiet", "main")
    for number in range(3):
        note(root, 500 + number, "a plover of main")
        commit(f"more {number}")
    with followed(root) as scene:
        yield scene


def check(scene: Scene, *, owls: int, newts: int, memories: int) -> None:
    """The index is right, and no commit is vmem's."""
    scene.check_against_a_rebuild()
    assert len(scene.found("owl")) == min(owls, 100)
    assert len(scene.found("newt")) == min(newts, 100)
    assert len(scene.listed()) == memories
    assert "Vmem-Op" not in scene.git("log", "--all", "--format=%B")


def test_a_checkout_and_back_a_reset_a_rebase_and_a_cleaning(scene: Scene) -> None:
    scene.git("checkout", "--quiet", "b")
    check(scene, owls=CHANGED, newts=ADDED, memories=MEMORIES - DELETED + ADDED)
    scene.git("checkout", "--quiet", "main")
    check(scene, owls=0, newts=0, memories=MEMORIES)
    scene.git("reset", "--quiet", "--hard", "HEAD~3")
    check(scene, owls=0, newts=0, memories=MEMORIES)
    scene.git("reset", "--quiet", "--hard", "ORIG_HEAD")
    scene.git("rebase", "--quiet", "b")
    check(scene, owls=CHANGED, newts=ADDED, memories=MEMORIES - DELETED + ADDED)
    for number in range(50):
        scene.write(f"drafts/{number}.md", "an eagle that git does not know\n")
    scene.rest()
    assert len(scene.found("eagle")) == 50
    scene.git("clean", "--quiet", "-fdx", "-e", ".vmem")
    check(scene, owls=CHANGED, newts=ADDED, memories=MEMORIES - DELETED + ADDED)
    assert scene.found("eagle") == []
    assert scene.git("status", "--porcelain") == ""


def test_a_stash_and_its_return(scene: Scene) -> None:
    for number in range(100):
        note(scene.root, number, "an owl at work")
    note(scene.root, 5000, "an owl that is new")
    scene.rest()
    assert len(scene.found("owl")) == 100
    scene.git("stash", "--quiet", "--include-untracked")
    check(scene, owls=0, newts=0, memories=MEMORIES)
    scene.git("stash", "pop", "--quiet")
    scene.check_against_a_rebuild()
    assert len(scene.listed()) == MEMORIES + 1
    assert scene.git("status", "--porcelain", "--untracked-files=all").count("\n") == 100


def test_a_merge_in_conflict_and_its_end(scene: Scene) -> None:
    scene.git("switch", "--quiet", "--create", "c", "main~3")
    note(scene.root, 500, "another plover")
    scene.git("commit", "--quiet", "--all", "--message=other")
    with pytest.raises(AssertionError, match="git merge"):
        scene.git("merge", "--quiet", "main")
    scene.check_against_a_rebuild()
    [entry] = [one for one in scene.vault.person.list() if one.path == "notes/5/500.md"]
    assert entry.conflicted
    scene.git("merge", "--abort")
    scene.check_against_a_rebuild()
    assert scene.found("another plover")[0] == "notes/5/500.md"


def test_when_the_system_loses_track_all_is_compared(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads the kernel's queue is held up until it is over-full, as under a heavy load."""
    reading, go_on = threading.Event(), threading.Event()
    heard, lost = KernelWatch._on_file, []

    def slow(self: KernelWatch, prefix: str, name: bytes, mask: int) -> None:
        reading.set()
        go_on.wait()
        heard(self, prefix, name, mask)

    def overflow(self: KernelWatch) -> None:
        lost.append(kernel.OVERFLOW)
        self._look_again(kernel.OVERFLOW)

    monkeypatch.setattr(KernelWatch, "_on_file", slow)
    monkeypatch.setattr(KernelWatch, "on_queue_overflow", overflow)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    scene.write("notes/first.md", "the first\n")
    assert reading.wait(60)
    scene.git("checkout", "--quiet", "b")
    for number in range(most // 2 + 100):
        (scene.root / f"notes/0/{number}.txt").touch()
    scene.write("more/7/old.md", "in a folder that is new\n")
    (scene.root / "notes/last.md").write_text("an eagle came last\n")
    go_on.set()
    eventually(lambda: lost)
    assert scene.found("eagle") == ["notes/last.md"]
    (scene.root / "notes/first.md").unlink()
    check(scene, owls=CHANGED, newts=ADDED, memories=MEMORIES - DELETED + ADDED + 2)
    scene.write("more/7/new.md", "an eagle in a folder that was made meanwhile\n")
    assert set(scene.found("eagle")) == {"more/7/new.md", "notes/last.md"}
    assert capfd.readouterr() == ("", "")
