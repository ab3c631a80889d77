"""Opening `state.db` durably, and telling its faults apart for a person."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.journal.schema import STEPS, VERSION
from vault_memory.errors import LockedError, SidecarError, StorageError

if TYPE_CHECKING:
    import apsw

BUSY_SECONDS = 5.0
"""How long another process may keep the file before we give up; it holds it for milliseconds."""

_MEND = "the memories themselves are safe in their files; move {path}* away, then run: vmem status"
_UPDATE = "a newer vmem wrote it; update this one"
_FAULTS = {
    "CorruptError": ("it is damaged", _MEND),
    "NotADBError": ("it is not a database", _MEND),
    "FormatError": ("it is not a database", _MEND),
    "SQLError": ("its tables are not as they should be", _MEND),
    "MismatchError": ("its tables are not as they should be", _MEND),
    "ConstraintError": ("its tables are not as they should be", _MEND),
    "ReadOnlyError": ("it can't be written", "make {path} and its folder writable, then try again"),
    "CantOpenError": ("it can't be opened", "mend the permissions of {path} and its folder, then try again"),
    "PermissionsError": ("permission denied", "mend the permissions of {path}, then try again"),
    "IOError": ("the disk reports an input/output error", "check the disk that holds {path}"),
    "ProtocolError": ("its locks don't work here", "keep the vault on a local disk"),
    "NoLFSError": ("it is too large for this system", _MEND),
}
"""For each class of apsw's errors: what it means of the file, and what to do."""


def connect(path: Path, *, shared_memory: bool = True) -> apsw.Connection:
    """Open or create the file with all tables; raises `SidecarError`.

    Without `shared_memory`, as on a network disk, it is kept in a form that needs none."""
    import apsw

    # Our folder may have been deleted since, but not the vault around it.
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        os.mkdir(path.parent, 0o700)
    with contextlib.ExitStack() as on_failure:
        connection = apsw.Connection(str(path))
        on_failure.callback(connection.close)
        connection.set_busy_timeout(int(BUSY_SECONDS * 1000))
        connection.pragma("journal_mode", "WAL" if shared_memory else "TRUNCATE")
        connection.pragma("synchronous", "FULL")
        _migrate(connection, path)
        on_failure.pop_all()
    return connection


@contextlib.contextmanager
def faults_of(path: Path) -> Iterator[None]:
    """Turn SQLite's and the system's errors inside into `SidecarError` with advice."""
    import apsw

    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise LockedError(str(path), BUSY_SECONDS) from error
    except apsw.FullError as error:
        raise StorageError(str(path), "the disk is full") from error
    except apsw.Error as error:
        # A log's shared part that can't grow is how a full disk shows before anything is written.
        if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE:
            raise StorageError(str(path), "the disk is full") from error
        reason, advice = _FAULTS.get(type(error).__name__, (str(error), _MEND))
        raise unusable(path, reason, advice) from error
    except OSError as error:
        raise StorageError(str(path), (error.strerror or str(error)).lower()) from error


@contextlib.contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All inside or nothing. Not apsw's own `with connection`: that keeps the interpreter to itself while
    it waits for another connection, and where that is another thread's both wait in vain."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def unusable(path: Path, reason: str, advice: str = _MEND) -> SidecarError:
    """The error for a file that can't serve; `advice` may name it as `{path}`."""
    return SidecarError(f"can't use the journal {path}: {reason}", hint=advice.format(path=path))


def _migrate(connection: apsw.Connection, path: Path) -> None:
    if connection.pragma("user_version") == VERSION:
        return
    with transaction(connection):
        version = connection.pragma("user_version")  # again: another process may have been first
        if version > VERSION:
            raise unusable(path, f"it is of version {version}, and we know {VERSION}", _UPDATE)
        for step in STEPS[version:]:
            connection.execute(step)
        connection.pragma("user_version", VERSION)
