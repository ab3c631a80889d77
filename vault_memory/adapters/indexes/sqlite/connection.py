"""Opening the index's file, whatever state it is in, and saying in our words what SQLite says in its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import apsw

from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.errors import IndexDamagedError, SidecarError, StorageError, VmemError

NO_INDEX_YET = "there was no index yet"
DAMAGED = "the file was damaged"
IN_MEMORY = "the index is kept in memory"
DROPPED = "the index was dropped"

_ATTEMPTS = 10
_PAUSE = 0.01
"""Seconds after the first attempt; each further pause is longer by as much."""

_DAMAGE = (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)
"""The file is not what it was: it is thrown away, since all of it can be derived again."""

_REFUSALS: dict[type[apsw.Error], str] = {
    apsw.BusyError: "it is locked by another process",
    apsw.LockedError: "it is locked by another process",
    apsw.ProtocolError: "it is locked by another process",
    apsw.ReadOnlyError: "it is read-only",
    apsw.PermissionsError: "it may not be opened",
    apsw.AuthError: "it may not be opened",
    apsw.CantOpenError: "it can't be opened for writing",
    apsw.FullError: "the disk is full",
    apsw.IOError: "the disk reports an error",
    apsw.NoLFSError: "the file system takes no file so large",
}
"""The world says no, and the file may well be whole."""

_REFUSED = tuple(_REFUSALS)
_PASSING = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError, apsw.IOError)
"""Also what two see who make the same file at once, and SQLite does not wait for in every place."""

_UNOPENABLE: tuple[type[Exception], ...] = (*_REFUSED, OSError)
_UNREADABLE: tuple[type[Exception], ...] = (*_REFUSED, *_DAMAGE)

# mmap stays off: a file cut short under a mapping would kill the process instead of raising.
_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -16000",
    "PRAGMA journal_size_limit = 16777216",
    "PRAGMA temp_store = MEMORY",
)
_WITH_LOG = ("PRAGMA journal_mode = WAL",)
_WITHOUT_LOG = (
    "PRAGMA journal_mode = TRUNCATE",
    "PRAGMA cache_spill = OFF",  # what spills early locks readers out until the commit
)
_PROBE_TERMS = """
    SELECT count(*)
    FROM places
    WHERE term = ''
    """


class Mode(Enum):
    """How the index is held."""

    OWN = "a file that we may write"
    READING = "a file that others may write"
    FROZEN = "a file in a place where not even a reader may put its lock"
    MEMORY = "no file"


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds to wait for another process before giving up."""

    reading: float = 2.0
    writing: float = 5.0


PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Opened:
    """An index ready for use. `mark` tells whether the file at the path is still this one."""

    db: apsw.Connection
    mode: Mode
    mark: tuple[int, ...] | None = None
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What a file that has to be made anew is to say of itself, and how long to wait for others."""

    embedder: str
    reading: str
    new_instance: Callable[[], str]
    patience: Patience
    shared_memory: bool = True
    """Whether all who open the file run on one machine, so that readers need not wait for writers."""


def random_instance() -> str:
    """A name that no other index file has."""
    return os.urandom(8).hex()


def connect(path: Path, wish: Wish, *, because: str = NO_INDEX_YET) -> Opened:
    """Open the file; make it anew where it is missing, damaged or of another schema.

    Where that can't be done the file is read as it is, and where that can't be done either an
    empty index in memory takes its place: a search must not say "nothing" for want of a file.
    """
    try:
        return _own(path, wish, because)
    except _UNOPENABLE as error:
        reason = _reason(error)
        locked = isinstance(error, apsw.BusyError)
    return _as_it_is(path, reason, wish, locked=locked) or _instead(wish, reason)


def replace(path: Path, wish: Wish) -> Opened:
    """Throw a damaged file away, of which no connection is open here, and make it anew."""
    try:
        _remove(path)
    except OSError as error:
        return _instead(wish, _reason(error))
    return connect(path, wish, because=DAMAGED)


def in_memory(wish: Wish, *, notice: str | None = None) -> Opened:
    """An empty index that lives as long as its connection."""
    db = apsw.Connection(":memory:")
    _create(db, wish, IN_MEMORY)
    return Opened(db, Mode.MEMORY, notice=notice)


def mark_of(path: Path, mode: Mode) -> tuple[int, ...] | None:
    """What changes when another file takes this one's place, `None` where there is none."""
    if mode is Mode.MEMORY:
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    if mode is Mode.FROZEN:
        # SQLite was told that the file does not change, so it is for us to see when it did.
        return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, int(_has_log(path)))
    if mode is Mode.READING:
        # With the last writer go the locks that a reader needs and may not make.
        return (found.st_dev, found.st_ino, int(_beside(path, "-shm").exists()))
    return (found.st_dev, found.st_ino)


@contextmanager
def translated(path: Path | None, *, writing: bool = False) -> Iterator[None]:
    """Turn every exception of SQLite's into one of ours: the only place that does."""
    try:
        yield
    except apsw.Error as error:
        raise _translation(error, str(path or "in memory"), writing=writing) from error


def _own(path: Path, wish: Wish, because: str) -> Opened:
    """Try until it is open; others may be making, mending or leaving the same file just now."""
    # Only the last folder: if the vault itself went away, its ghost must not be made.
    path.parent.mkdir(mode=0o700, exist_ok=True)
    deadline = time.monotonic() + wish.patience.reading
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            found = _try(path, wish, because)
        except _PASSING:
            if attempt == _ATTEMPTS or time.monotonic() > deadline:
                raise
        else:
            if isinstance(found, Opened):
                return found
            because = found
        time.sleep(_PAUSE * attempt)
    raise apsw.CantOpenError("another process makes it anew again and again")


def _try(path: Path, wish: Wish, because: str) -> Opened | str:
    """The file, or why it had to be thrown away."""
    db = apsw.Connection(os.fspath(path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    mark = mark_of(path, Mode.OWN)
    flaw: str | None = DAMAGED
    try:
        flaw = _settle(db, wish, because)
    except _DAMAGE:
        flaw = DAMAGED
    finally:
        exchanged = mark is None or mark != mark_of(path, Mode.OWN)
        if flaw is not None or exchanged:
            db.close()
    if exchanged:
        return because
    if flaw is None:
        return Opened(db, Mode.OWN, mark)
    _remove(path)
    return flaw


def _instead(wish: Wish, reason: str) -> Opened:
    return in_memory(wish, notice=f"the index can't be written ({reason}): searching from memory")


def _remove(path: Path) -> None:
    """Delete the file and what SQLite keeps beside it."""
    for suffix in ("-wal", "-shm", "-journal", ""):
        _beside(path, suffix).unlink(missing_ok=True)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _settle(db: apsw.Connection, wish: Wish, because: str) -> str | None:
    """Ready the open file; the reason why it must be thrown away, `None` where it is good."""
    if db.readonly("main"):
        raise apsw.ReadOnlyError("the file is read-only")
    db.set_busy_timeout(int(wish.patience.reading * 1000))
    for pragma in (*(_WITH_LOG if wish.shared_memory else _WITHOUT_LOG), *_PRAGMAS):
        db.execute(pragma)
    if schema.is_empty(db):
        _create(db, wish, because)
    return _flaw(db, wish)


def _create(db: apsw.Connection, wish: Wish, because: str) -> None:
    schema.create(
        db, reading=wish.reading, instance=wish.new_instance(), embedder=wish.embedder, because=because
    )


def _flaw(db: apsw.Connection, wish: Wish) -> str | None:
    found = schema.read_schema(db)
    if found is None:
        return DAMAGED
    if found != schema.VERSION:
        return f"schema {found} → {schema.VERSION}"
    reading = schema.read_meta(db).reading
    if reading != wish.reading:
        return f"{reading or 'unknown settings'} → {wish.reading}"
    db.execute(_PROBE_TERMS).fetchall()
    return None


def _as_it_is(path: Path, reason: str, wish: Wish, *, locked: bool) -> Opened | None:
    """The file, opened to read alone, if it holds anything to read."""
    notice = f"the index can't be written ({reason}): answers may be out of date"
    for mode, query in ((Mode.READING, "mode=ro"), (Mode.FROZEN, "immutable=1")):
        if mode is Mode.FROZEN and (locked or _has_log(path)):
            break  # whoever is at work would not be heeded, and what is in the log overlooked
        mark = mark_of(path, mode)
        try:
            db = apsw.Connection(
                f"{path.absolute().as_uri()}?{query}", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            )
        except _REFUSED:
            continue
        good = False
        try:
            db.set_busy_timeout(100 if locked else int(wish.patience.reading * 1000))
            good = _flaw(db, wish) is None and schema.read_meta(db).empty_because is None
        except _UNREADABLE:
            good = False
        finally:
            if not good:
                db.close()
        if good:
            return Opened(db, mode, mark, notice)
    return None


def _has_log(path: Path) -> bool:
    """Whether beside the file lies what belongs into it, or must be taken back out of it."""
    return any(_size(_beside(path, suffix)) > 0 for suffix in ("-wal", "-journal"))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    return _refusal(error)


def _refusal(error: Exception) -> str:
    # A log's shared part that can't grow is how a full disk shows before anything is written.
    if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
        return _REFUSALS[apsw.FullError]
    return next((words for kind, words in _REFUSALS.items() if isinstance(error, kind)), str(error))


def _translation(error: apsw.Error, path: str, *, writing: bool) -> VmemError:
    if isinstance(error, (*_DAMAGE, apsw.SQLError)):
        # Our statements are fixed: one that does not fit the tables means that these are not ours.
        return IndexDamagedError(path, str(error))
    reason = _refusal(error)
    if isinstance(error, (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)):
        return SidecarError(
            f"the search index is locked by another process ({path})",
            hint="try again in a moment; the memories themselves are not affected",
        )
    if writing and isinstance(error, _REFUSED):
        return StorageError(path, reason)
    return SidecarError(f"can't read the search index {path}: {reason}", hint="vmem doctor looks at it")


def last_written_ns(path: Path | None) -> int | None:
    """When the file, or what its log holds, was last written; `None` where there is no file."""
    times = []
    for name in (path, Path(f"{path}-wal")) if path is not None else ():
        with suppress(OSError):
            status = os.stat(name)
            if status.st_size:  # an empty log is made by whoever looks
                times.append(status.st_mtime_ns)
    return max(times, default=None)


def check(db: apsw.Connection, path: Path | None) -> None:
    """Have SQLite look at every page. Raises `IndexDamagedError`."""
    [(said,)] = db.execute("PRAGMA quick_check(1)")
    if said != "ok":
        lines = [line for line in str(said).split("\n") if not line.startswith("***")]
        raise IndexDamagedError(str(path), lines[0] if lines else str(said))
