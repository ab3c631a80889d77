"""Beginning an index with a copy of another: what both hold is neither read nor embedded again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import apsw

from vault_memory.adapters.indexes.sqlite import nearfile, schema
from vault_memory.adapters.indexes.sqlite.connection import random_instance

FILE = "index.db"
"""The name of an index in its folder."""
_PATIENCE_MS = 2000

_WRITING = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI

_ATTACH = "ATTACH ? AS other"
_DETACH = "DETACH other"
_STAMP_LIKE = """
    UPDATE files
    SET size = other.size,
        mtime_ns = other.mtime_ns,
        ctime_ns = other.ctime_ns,
        inode = other.inode,
        settled = other.settled
    FROM other.files AS other
    WHERE other.path = files.path AND other.version = files.version AND other.mtime_ns = 0
    """
"""Of files in a commit, that is: their stamps tell the bytes."""


def seed(source: Path, target: Path, *, like: Path | None = None) -> bool:
    """Copy the index in `source` to the folder `target`, where there is none yet; whether that was done.

    The copy is another index, with a name of its own. Files whose bytes the index in the folder `like` has,
    too, get the stamps that they have there. Where it can't be made nothing is left, and the index is filled
    from the files as ever."""
    temporary = target / f"{FILE}.{os.getpid()}.tmp"
    try:
        if (target / FILE).exists() or not (source / FILE).exists():
            return False
        _sweep(target)
        try:
            # Before the index: of what is newer than the index it must not tell.
            rows = _kept_rows(source)
            names = _copied(source / FILE, temporary, like)
            if names is None:
                return False
            os.link(temporary, target / FILE)  # unlike a rename, it leaves what another has made meanwhile
            if rows is not None:
                nearfile.adopt(rows, target, *names)
        finally:
            for name in (temporary, temporary.with_name(f"{temporary.name}-journal")):
                name.unlink(missing_ok=True)
    except (apsw.Error, OSError):
        return False
    return True


def _sweep(target: Path) -> None:
    """Delete what a process that was killed at it has left."""
    for left in target.glob(f"{FILE}.*.tmp*"):
        pid = left.name.split(".")[2]
        if not (pid.isdecimal() and len(pid) < nearfile.LONGEST_PID and nearfile.runs(int(pid))):
            left.unlink(missing_ok=True)


def _kept_rows(source: Path) -> bytes | None:
    """The matrix of vectors beside an index, if it is there."""
    try:
        return (source / nearfile.NAME).read_bytes()
    except OSError:
        return None


def _copied(source: Path, target: Path, like: Path | None) -> tuple[str, str] | None:
    """Make a whole copy, if the source is an index of ours that is filled; its old name and its new one."""
    with suppress(FileNotFoundError):
        target.unlink()
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    old = apsw.Connection(f"{source.absolute().as_uri()}?mode=ro", flags)
    try:
        old.set_busy_timeout(_PATIENCE_MS)
        if schema.read_schema(old) != schema.VERSION or schema.read_meta(old).empty_because is not None:
            return None
        new = apsw.Connection(os.fspath(target), _WRITING)
        try:
            # Of a copy that a crash cuts short nothing is ever used, so nothing waits for the disk.
            new.execute("PRAGMA synchronous = OFF")
            with new.backup("main", old, "main") as copying:
                copying.step(-1)
            new.execute("PRAGMA journal_mode = DELETE")
            names = schema.read_meta(new).instance, random_instance()
            schema.write_fact(new, "instance", names[1])
            if like is not None:
                _stamp_like(new, like / FILE)
        finally:
            new.close()
    finally:
        old.close()
    return names


def _stamp_like(db: apsw.Connection, like: Path) -> None:
    """Give files the stamps of another index where the bytes are the same; none where that can't be read."""
    with suppress(apsw.Error):
        db.execute(_ATTACH, (f"{like.absolute().as_uri()}?mode=ro",))
        db.execute(_STAMP_LIKE)
        db.execute(_DETACH)
