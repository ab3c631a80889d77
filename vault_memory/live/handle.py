"""A vault kept open: one handle that reads, one that writes, and what keeps both up to the files."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from pathlib import Path
from types import TracebackType
from typing import Self

from vault_memory import compose
from vault_memory.config import environ
from vault_memory.config.load import VAULT_FILE
from vault_memory.config.settings import Settings
from vault_memory.errors import ClosedError, ConfigError, VaultNotFoundError
from vault_memory.live.opening import Opening, open_both
from vault_memory.model.revision import CommitReport
from vault_memory.model.watching import Watching
from vault_memory.ports import Clock, Ids
from vault_memory.vault import Vault

OWN = ".vmem"
HALF_SAVED = 0.05
"""Seconds after which settings that can't be read are read once more: an editor may be saving them."""

Mark = tuple[int, int, int] | None
"""What changes when a file does; `None` where there is none."""


class LiveVault:
    """One vault, kept open for long and asked by many threads at once.

    It is opened anew between two requests when a file of its settings has changed. `close()` ends its
    threads; what waits for a commit is committed first.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: Clock | None = None,
        ids: Ids | None = None,
        opening: Callable[[Path, Clock | None, Ids | None, Opening | None], Opening] = open_both,
    ) -> None:
        """Raises `VaultNotFoundError`, `ConfigError`, and `SidecarError` where this vault can't be kept
        open (a network disk, an index that can't be written)."""
        self.root = root
        self._clock, self._ids, self._make = clock, ids, opening
        self._mutex = threading.Lock()
        self._closed = False
        self._leaving: list[threading.Thread] = []
        self._own = os.path.join(root, OWN)
        self._place = _place_of(root)
        # As texts: each request looks at them.
        self._files = (os.path.join(root, VAULT_FILE), os.fspath(environ.user_config_file()))
        self._marks = self._look_at_settings()
        self._now = self._opened(None)

    @classmethod
    def open(cls, path: Path | None = None, *, clock: Clock | None = None, ids: Ids | None = None) -> Self:
        """The vault that `path` lies in; without one `VMEM_VAULT`, else the working folder."""
        return cls(compose.locate(path), clock=clock, ids=ids)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """As they were when it was last opened."""
        return self._now.reader.settings

    @contextmanager
    def reading(self) -> Iterator[Vault]:
        """The handle for questions; no writer is waited for. Raises `VaultNotFoundError` where the vault
        went away, `ConfigError` where its settings became faulty, `ClosedError`."""
        with self._using() as opening:
            yield opening.reader

    @contextmanager
    def warming(self) -> Iterator[Vault]:
        """The handle for questions that nobody asked, so that none is noted. Raises as `reading` does."""
        with self._using() as opening:
            yield opening.unnoted

    @contextmanager
    def writing(self) -> Iterator[Vault]:
        """The handle for writes, whose commits may come a little later. Raises as `reading` does."""
        with self._using() as opening:
            yield opening.writer

    def is_at(self, path: Path | None) -> bool:
        """Whether this is the vault that `path` lies in (`None`: that the caller would have without one).

        Raises `VaultNotFoundError` where that is none."""
        return _place_of(compose.locate(path)) == self._place

    def is_there(self) -> bool:
        """Whether the vault is still where it was: its folder may be unmounted, deleted or replaced."""
        try:
            found = os.stat(self._own)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._place

    def flush(self, wait: float) -> CommitReport:
        """Commit what waits, within so many seconds; what became of it."""
        with self._using() as opening:
            return opening.committing.flush(wait)

    def waiting(self) -> int:
        """How many writes wait for their commit."""
        return self._now.committing.waiting()

    def watching(self) -> Watching:
        """How the files are watched, and whether the index is behind them."""
        return self._now.following.state()

    def generation(self) -> int:
        """How often the index has changed."""
        with self._using() as opening:
            return opening.generation()

    def close(self) -> None:
        """End its threads and let go of all that is open; requests under way are waited for by those
        who close them. Twice is no fault."""
        with self._mutex:
            closed, self._closed = self._closed, True
        if closed:
            return
        self._now.close()
        for thread in self._leaving:
            thread.join()

    @contextmanager
    def _using(self) -> Iterator[Opening]:
        """The opening that counts now, which stays open as long as somebody uses it."""
        if not self.is_there():
            raise VaultNotFoundError(self.root)
        with self._mutex:
            if self._closed:
                raise ClosedError(self.root)
            left = self._open_anew()
            opening = self._now
            opening.users += 1
        self._leave(left)
        try:
            yield opening
        finally:
            with self._mutex:
                opening.users -= 1
                last = opening is not self._now and not opening.users
            self._leave(opening if last else None)

    def _open_anew(self) -> Opening | None:
        """Open the vault anew if its settings have changed; the old opening, where nobody uses it."""
        marks = self._look_at_settings()
        if marks == self._marks:
            return None
        before = self._now
        # Whose request it is that comes first must not matter: the settings are this process' own.
        try:
            self._now = Context().run(self._opened, before)
        except ConfigError:
            time.sleep(HALF_SAVED)
            marks = self._look_at_settings()
            self._now = Context().run(self._opened, before)
        self._marks = marks
        return None if before.users else before

    def _opened(self, before: Opening | None) -> Opening:
        return self._make(self.root, self._clock, self._ids, before)

    def _leave(self, opening: Opening | None) -> None:
        """Close an opening in a thread of its own: what it has to commit is waited for by nobody."""
        if opening is None:
            return
        thread = threading.Thread(target=opening.close, name="vmem-leaving")
        with self._mutex:
            self._leaving = [one for one in self._leaving if one.is_alive()]
            self._leaving.append(thread)
            thread.start()

    def _look_at_settings(self) -> tuple[Mark, ...]:
        return tuple(map(_mark_of, self._files))


def _place_of(root: Path) -> tuple[int, int]:
    """The file number of a vault's own folder. Raises `VaultNotFoundError` where there is none."""
    try:
        found = os.stat(os.path.join(root, OWN))
    except OSError as error:
        raise VaultNotFoundError(root) from error
    return found.st_dev, found.st_ino


def _mark_of(file: str) -> Mark:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
