"""A vault that is followed, somebody who edits it, and somebody who asks."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.gitrun import run_git
from vault_memory import compose
from vault_memory.live.following import BEHIND, Following
from vault_memory.model.change import RefreshReport
from vault_memory.ports import Clock, Watch
from vault_memory.vault import Vault

WORDS_ALONE = {"embedder": "none"}
"""So that a search finds what holds its words, and nothing that only means the like."""
SECONDS = 60.0
"""Within which anything must have come about: far more than it takes."""


@dataclass(slots=True)
class Scene:
    """One followed vault. `told` holds the reports of what was indexed, in order."""

    root: Path
    opened: compose.Opened
    following: Following
    vault: Vault
    told: list[RefreshReport] = field(default_factory=list)
    flags: Mapping[str, object] = field(default_factory=dict)

    def write(self, name: str, text: str) -> Path:
        """A file as a simple program saves it: opened, written, closed."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def rest(self) -> None:
        """Wait until all that happened up to now is in the index."""
        until = time.monotonic() + SECONDS
        while BEHIND in self.following.catch_up(SECONDS):
            assert time.monotonic() < until, "it never came to rest"

    def found(self, query: str) -> list[str]:
        """The paths that a search finds."""
        return [str(hit.entry.path) for hit in self.vault.person.search(query, limit=100).hits]

    def listed(self) -> list[str]:
        """All memories."""
        return [str(entry.path) for entry in self.vault.person.list()]

    def touched(self) -> list[tuple[str, str]]:
        """What the reports say, in order."""
        return [(touch.value, str(path)) for report in self.told for touch, path in report.touched]

    def check_against_a_rebuild(self) -> None:
        """At rest the index is what it would be if it were built from the files."""
        self.rest()
        followed = self.opened.ports.index.dump()
        with Vault.open(self.root, settings=self.flags) as other:
            other.index.rebuild()
            assert other.index.dump() == followed

    def git(self, *arguments: str) -> str:
        """What git says in the vault."""
        return run_git(self.root, *arguments)


@contextmanager
def followed(
    root: Path,
    watch: Callable[[compose.Opened], Watch] = compose.watch,
    *,
    started: bool = True,
    flags: Mapping[str, object] = WORDS_ALONE,
    clock: Clock | None = None,
) -> Iterator[Scene]:
    """Follow the vault at `root` until the block is left; no thread is left behind."""
    threads = set(threading.enumerate())
    with ExitStack() as stack:
        opened = compose.open_vault(root, flags=flags, clock=clock)
        stack.callback(opened.close)
        told: list[RefreshReport] = []
        following = Following(opened, watch(opened), told=told.append)
        stack.callback(following.close)
        vault = Vault(opened, vouched=lambda: following.catch_up(SECONDS))
        scene = Scene(root, opened, following, vault, told, flags)
        if started:
            following.start()
            scene.rest()
            told.clear()
        yield scene
    assert set(threading.enumerate()) <= threads


def eventually(fact: Callable[[], object]) -> None:
    """Wait until it is so."""
    until = time.monotonic() + SECONDS
    while not fact():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.01)


Save = Callable[[Path, str], None]
"""Puts a text into a file that is there, in the way of some editor."""


def in_place(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def like_vim(file: Path, text: str) -> None:
    """The old file is moved away, the new one written in its place, and the old one deleted."""
    backup = file.with_name(f"{file.name}~")
    file.rename(backup)
    file.write_text(text, encoding="utf-8")
    backup.unlink()


def like_sed(file: Path, text: str) -> None:
    """`sed -i`: a file of a random name in the same folder, renamed over."""
    other = file.with_name("sedXq81zu")
    other.write_text(text, encoding="utf-8")
    other.replace(file)


def by_a_temporary(file: Path, text: str) -> None:
    """`a.md.tmp` renamed over `a.md`, synced as careful programs do."""
    other = file.with_name(f"{file.name}.tmp")
    with other.open("w", encoding="utf-8") as handle:
        handle.write(text)
        handle.flush()
        os.fsync(handle.fileno())
    other.replace(file)


def truncated_first(file: Path, text: str) -> None:
    """Emptied, and filled 300 ms later."""
    file.write_text("", encoding="utf-8")
    time.sleep(0.3)
    file.write_text(text, encoding="utf-8")


def copied_over(file: Path, text: str) -> None:
    """`cp` from outside the vault."""
    outside = _outside(file)
    outside.write_text(text, encoding="utf-8")
    subprocess.run(["cp", "--reflink=auto", str(outside), str(file)], check=True)
    outside.unlink()


def moved_in(file: Path, text: str) -> None:
    """`mv` from outside the vault."""
    outside = _outside(file)
    outside.write_text(text, encoding="utf-8")
    outside.replace(file)


def _outside(file: Path) -> Path:
    """A place beside the vault, whose file lies in one of its folders."""
    return file.parents[2] / "outside.md"


SAVES: dict[str, Save] = {
    one.__name__: one
    for one in (in_place, like_vim, like_sed, by_a_temporary, truncated_first, copied_over, moved_in)
}
