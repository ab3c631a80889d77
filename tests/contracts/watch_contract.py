"""What every implementation of the `Watch` port promises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from vault_memory.ports import Hints, Watch

WAIT = 20.0
"""Seconds within which a change must have been heard of: far more than any kind needs."""


class Listener:
    """A watch that has begun, and what it told."""

    def __init__(self, watch: Watch, *, settled: bool = True) -> None:
        self.watch = watch
        self.called = threading.Event()
        self.paths: set[str] = set()
        self.reasons: list[str] = []
        watch.start(self.called.set)
        if settled:
            self.settle()

    def settle(self) -> None:
        """Take what it tells of its own beginning, until it is silent."""
        while self._more(0.3):
            pass
        self.paths, self.reasons = set(), []

    def heard(self, *paths: str) -> bool:
        """Whether it tells, in time, that all of these may have changed."""
        deadline = time.monotonic() + WAIT
        while time.monotonic() < deadline:
            self._more(0.05)
            if self.reasons or self.paths >= set(paths):
                return True
        return False

    def _more(self, wait: float) -> Hints:
        self.called.wait(wait)
        self.called.clear()
        hints = self.watch.take()
        self.paths |= hints.paths
        if hints.everything is not None:
            self.reasons.append(hints.everything)
        return hints


class WatchContract:
    """Inherit, and give a fixture `make`: from a root (which is a vault) to a watch that has not begun."""

    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        root = tmp_path / "vault"
        for folder in (".vmem/local", "notes/deep", ".obsidian", "node_modules/x", "out"):
            (root / folder).mkdir(parents=True)
        (root / ".vmem/config.toml").write_text("format = 1\n")
        (root / ".gitignore").write_text("out/\n")
        (root / "notes/old.md").write_text("old\n")
        (root / "notes/deep/below.md").write_text("below\n")
        return root.resolve()

    @pytest.fixture
    def listener(self, make: Callable[[Path], Watch], root: Path) -> Iterator[Listener]:
        watch = make(root)
        listener = Listener(watch)
        yield listener
        watch.close()

    def test_a_new_a_changed_and_a_deleted_file_are_heard_of(self, listener: Listener, root: Path) -> None:
        (root / "notes/new.md").write_text("new\n")
        assert listener.heard("notes/new.md")
        (root / "notes/old.md").write_text("changed text\n")
        assert listener.heard("notes/new.md", "notes/old.md")
        (root / "notes/deep/below.md").unlink()
        assert listener.heard("notes/new.md", "notes/old.md", "notes/deep/below.md")

    def test_of_a_rename_both_names_are_heard(self, listener: Listener, root: Path) -> None:
        (root / "notes/old.md").rename(root / "named otherwise.md")
        assert listener.heard("notes/old.md", "named otherwise.md")

    def test_a_file_saved_by_rename_is_heard_of(self, listener: Listener, root: Path) -> None:
        (root / "notes/x.tmp").write_text("whole new text\n")
        (root / "notes/x.tmp").replace(root / "notes/old.md")
        assert listener.heard("notes/old.md")
        assert "notes/x.tmp" not in listener.paths

    def test_files_in_folders_made_at_once_are_heard_of(self, listener: Listener, root: Path) -> None:
        (root / "a/b/c").mkdir(parents=True)
        (root / "a/b/c/x.md").write_text("x\n")
        assert listener.heard("a/b/c/x.md")

    def test_a_folder_that_moves_is_heard_of(self, listener: Listener, root: Path) -> None:
        (root / "notes/deep").rename(root / "deeper")
        assert listener.heard("notes/deep/below.md", "deeper/below.md")
        listener.settle()
        (root / "deeper/below.md").write_text("below, once more\n")
        assert listener.heard("deeper/below.md")

    def test_a_folder_moved_in_from_outside_is_heard_of(
        self, listener: Listener, root: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "outside/inner").mkdir(parents=True)
        (tmp_path / "outside/inner/y.md").write_text("y\n")
        (tmp_path / "outside").rename(root / "inside")
        assert listener.heard("inside/inner/y.md")

    def test_what_a_scan_passes_over_is_not_told(self, listener: Listener, root: Path) -> None:
        for name in (
            ".obsidian/a.md",
            "node_modules/x/a.md",
            "out/a.md",
            "notes/.hidden.md",
            "notes/~$old.md",
            "notes/old.md~",
            "notes/picture.png",
            ".vmem/local/a.md",
        ):
            (root / name).write_text("not a memory\n")
        (root / "notes/last.md").write_text("a memory\n")
        assert listener.heard("notes/last.md")
        assert (listener.paths, listener.reasons) == ({"notes/last.md"}, [])

    def test_reading_causes_nothing(self, listener: Listener, root: Path) -> None:
        for _ in range(20):
            (root / "notes/old.md").read_text()
            list((root / "notes").iterdir())
        (root / "notes/last.md").write_text("a memory\n")
        assert listener.heard("notes/last.md")
        assert (listener.paths, listener.reasons) == ({"notes/last.md"}, [])

    def test_rules_that_change_are_followed(self, listener: Listener, root: Path) -> None:
        (root / "out/a.md").write_text("left out\n")
        (root / ".gitignore").write_text("")
        assert listener.heard("out/a.md")
        listener.settle()
        (root / "out/a.md").write_text("let in\n")
        assert listener.heard("out/a.md")

    def test_the_vault_going_away_is_heard_of_and_its_coming_back(
        self, listener: Listener, root: Path, tmp_path: Path
    ) -> None:
        root.rename(tmp_path / "elsewhere")
        assert listener.heard("notes/old.md")
        assert listener.reasons
        (tmp_path / "elsewhere").rename(root)
        listener.reasons.clear()
        assert listener.heard("notes/old.md")
        listener.settle()
        (root / "notes/old.md").write_text("old, and back\n")
        assert listener.heard("notes/old.md")

    def test_more_than_can_be_told_one_by_one_is_told_as_everything(
        self, listener: Listener, root: Path
    ) -> None:
        for number in range(2500):
            (root / f"notes/{number}.md").write_text("one of very many\n")
        deadline = time.monotonic() + WAIT
        while not listener.reasons and time.monotonic() < deadline:
            assert len(listener._more(0.05).paths) <= 2000
            if len(listener.paths) >= 2500:
                return
        assert listener.reasons

    def test_it_counts_its_folders_and_closes_twice(self, listener: Listener) -> None:
        folders, _ = listener.watch.state()
        assert folders >= 2
        listener.watch.close()
        listener.watch.close()
        assert listener.watch.take() in (Hints(), listener.watch.take())

    def test_two_vaults_are_watched_apart(
        self, make: Callable[[Path], Watch], listener: Listener, root: Path, tmp_path: Path
    ) -> None:
        other_root = tmp_path / "other"
        (other_root / ".vmem/local").mkdir(parents=True)
        (other_root / ".vmem/config.toml").write_text("format = 1\n")
        other = Listener(make(other_root.resolve()))
        try:
            (other_root / "there.md").write_text("there\n")
            assert other.heard("there.md")
            assert listener.paths == set()
        finally:
            other.watch.close()
        (root / "here.md").write_text("here\n")
        assert listener.heard("here.md")
        assert "there.md" not in listener.paths
