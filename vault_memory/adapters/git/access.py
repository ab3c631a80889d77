"""Reaching the repository: through libgit2 where it can, through the git program where only that can."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from vault_memory.adapters.git import locate, reasons
from vault_memory.adapters.git.asking import place_of
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.foreign import ForeignError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitCommandError, GitError

if TYPE_CHECKING:
    from vault_memory.adapters.git.opened import Opened

_T = TypeVar("_T")
Key = tuple[int, ...]
"""(device, inode, size, mtime_ns) of a file, or the first two."""


class Access:
    """The way to one vault's repository; what is open stays open until the repository changes place."""

    def __init__(self, root: Path, *, timeout: float) -> None:
        self.root = Path(os.path.realpath(root))
        self.timeout = timeout
        self.guard = threading.RLock()
        self._kept: Opened | None = None
        self._plain: tuple[Place, Key, Key] | None = None

    def find(self) -> Place | None:
        """The repository's folders, looked for anew: a person may make or move one at any time."""
        return locate.find(self.root)

    def place(self) -> Place:
        """The same; raises `GitError` where there is no repository."""
        return place_of(self.root)

    def is_plain(self, place: Place) -> bool:
        """Whether libgit2 can read the repository, whose refs then are ordinary files. Once it has, that is
        told by two looks, and waits for nobody who is at work in it. Raises `GitError`."""
        mark = (place, _key_of(place.gitdir)[:2], _key_of(os.path.join(place.commondir, "config")))
        if self._plain != mark:
            try:
                with self.opened(place):
                    self._plain = mark
            except ForeignError:
                return False
        return True

    @contextmanager
    def opened(self, place: Place) -> Iterator[Opened]:
        """libgit2's view, for one thread at a time. Raises `GitError`, or `ForeignError` where libgit2
        meets something that it can't read, then or inside the block."""
        import pygit2

        from vault_memory.adapters.git.opened import UnreadableError, open_repository
        from vault_memory.adapters.git.trees import MissingObjectError

        with self.guard:
            try:
                if self._kept is None or self._kept.place != place or not self._kept.still_there():
                    self._kept = None
                    self._kept = open_repository(place, timeout=self.timeout)
                yield self._kept
            except UnreadableError as error:
                raise GitError(str(error)) from error
            except (pygit2.GitError, MissingObjectError) as error:
                raise ForeignError(str(error)) from error

    def program(self, place: Place, why: str) -> GitProgram:
        """The git program, for what libgit2 can't read because of `why`. Raises `GitError` where git
        can't either."""
        program = GitProgram(place.workdir or place.gitdir, timeout=self.timeout)
        if program.path is None:
            raise GitError(reasons.needs_git(f"only git can read this repository ({why})"))
        asked = program.run("rev-parse", "--git-dir")
        if not asked.ok:
            raise GitError(reasons.unreadable(asked.words()))
        return program

    def program_outside(self) -> GitProgram:
        """The git program where there is no repository."""
        return GitProgram(str(self.root), timeout=self.timeout)

    def by(self, place: Place, fast: Callable[[Opened], _T], slow: Callable[[GitProgram], _T]) -> _T:
        """Ask by whichever way leads there. Raises `GitError`."""
        try:
            try:
                with self.opened(place) as opened:
                    return fast(opened)
            except ForeignError as error:
                program = self.program(place, str(error))
            return slow(program)
        except GitRefusedError as error:
            raise GitCommandError("read", str(error)) from error


def _key_of(path: str) -> Key:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
