"""An index's file held open: its transactions, and following the path where another file takes its place."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import apsw

from vault_memory.adapters.indexes.sqlite import connection, schema
from vault_memory.adapters.indexes.sqlite.connection import (
    Mode,
    Opened,
    Wish,
    connect,
    in_memory,
    last_written_ns,
    mark_of,
    translated,
)
from vault_memory.adapters.indexes.sqlite.kept import Kept
from vault_memory.errors import IndexDamagedError, StorageError


class Reading:
    """`HeldFile.reading()`. It is entered a dozen times for each answer, so it is no generator."""

    __slots__ = ("_enter", "_leave", "_tell")

    def __init__(
        self, enter: Callable[[], None], leave: Callable[[], None], tell: Callable[[BaseException], None]
    ) -> None:
        self._enter = enter
        self._leave = leave
        self._tell = tell

    def __enter__(self) -> None:
        self._enter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        if error is not None:
            self._tell(error)


class HeldFile:
    """A connection to the file at `path` (`None`: in memory), and what has been read through it.

    It is used by one thread at a time; other processes may read and write beside it, and where one of
    them puts another file in this one's place, the next read follows.
    """

    def __init__(self, path: Path | None, wish: Wish) -> None:
        self._path = path
        self._wish = wish
        self._embedder = wish.embedder
        self._lock = threading.RLock()
        self._depth = 0
        self._reading = Reading(self._enter, self._leave, self._tell)
        with translated(path):
            self._hold(in_memory(wish) if path is None else connect(path, wish))

    # What it says of itself

    @property
    def generation(self) -> int:
        """Grows by one with each `apply` that changed content."""
        with self._reading:
            return self._meta.generation

    @property
    def instance(self) -> str:
        """The name of this very file: another one once it was made anew."""
        with self._reading:
            return self._meta.instance

    @property
    def notice(self) -> str | None:
        """Why the index can't be written or is kept in memory; `None` when all is well."""
        return self._opened.notice

    @property
    def rebuilt(self) -> str | None:
        """Why there is something to fill anew: the index, or (`embedder a → b`) its vectors."""
        with self._reading:
            if self._meta.empty_because is not None:
                return self._meta.empty_because
            if self._embedder in (schema.NO_EMBEDDER, self._meta.embedder):
                return None
            return f"embedder {self._meta.embedder} → {self._embedder}"

    @property
    def writable(self) -> bool:
        """Whether `apply` can succeed."""
        return self._opened.mode in (Mode.OWN, Mode.MEMORY)

    @property
    def written_ns(self) -> int | None:
        """When its file, or the log beside it, last changed."""
        return last_written_ns(self._path)

    # Transactions

    def reading(self) -> Reading:
        """All reads inside see one generation. May be nested; `apply` must stay outside."""
        return self._reading

    def check(self) -> None:
        """Look at the whole file; raises `IndexDamagedError`."""
        with self._reading:
            connection.check(self._db, self._path)

    def close(self) -> None:
        """Close the file; the last to close leaves no log beside it."""
        with self._lock, translated(self._path):
            self._db.close()

    def _hold(self, opened: Opened) -> None:
        """Take an index just opened, and forget what was read of another."""
        self._opened = opened
        self._db = opened.db
        self._damaged = False
        self._meta = schema.read_meta(opened.db)
        self._kept = Kept()

    def _follow(self) -> None:
        """Open the path again where another file lies there now, or none."""
        if self._path is None or self._opened.mode is Mode.MEMORY:
            return
        mark = mark_of(self._path, self._opened.mode)
        if mark is None or mark != self._opened.mark:
            self._db.close()
            self._hold(connect(self._path, self._wish))

    def _enter(self) -> None:
        self._lock.acquire()
        self._depth += 1
        if self._depth > 1:
            return
        begun = False
        try:
            with self._telling():
                self._begin()
            begun = True
        finally:
            if not begun:
                self._leave()

    def _begin(self) -> None:
        self._follow()
        self._db.execute("BEGIN")
        self._meta = schema.read_meta(self._db)
        self._kept.follow(self._db, self._meta)

    def _leave(self) -> None:
        try:
            self._depth -= 1
            if self._depth == 0:
                self._end()
        finally:
            self._lock.release()

    def _end(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except apsw.Error as error:
            self._tell(error)

    def _tell(self, error: BaseException) -> None:
        """Raise in our words what SQLite says in its own."""
        if isinstance(error, IndexDamagedError):
            self._damaged = True
        elif isinstance(error, apsw.Error):
            with self._telling():
                raise error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction that is there whole or not at all, waiting for other writers."""
        with self._lock, self._telling(writing=True):
            if self._depth:
                raise RuntimeError("an index can't be written inside its reading()")
            self._follow()
            if not self.writable:
                raise StorageError(str(self._path), self.notice or "it is read-only")
            self._db.set_busy_timeout(int(self._wish.patience.writing * 1000))
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._db.set_busy_timeout(int(self._wish.patience.reading * 1000))

    @contextmanager
    def _telling(self, *, writing: bool = False) -> Iterator[None]:
        try:
            with translated(self._path, writing=writing):
                yield
        except IndexDamagedError:
            self._damaged = True
            raise
