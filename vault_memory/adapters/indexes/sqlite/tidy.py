"""What many small writes leave to be done, a little at a time and while nobody waits for it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import apsw

_MERGE = """
    INSERT INTO terms (terms, rank)
    VALUES ('merge', 16)
    """
"""Sixteen pages: about a millisecond."""
_NOTHING_DONE = 2
"""Rows that change even where there was nothing to merge, and one more."""


def merge_a_little(db: apsw.Connection) -> bool:
    """Merge some of the small pieces that each write adds to the terms; whether there may be more.

    Left alone, SQLite does it in one of so many writes, whose caller then waits for all of it.
    """
    before = db.total_changes()
    db.execute(_MERGE)
    return db.total_changes() - before >= _NOTHING_DONE


def bring_in_log(path: Path) -> None:
    """Copy what the log holds into the file, on a connection of its own: it keeps no writer waiting."""
    db = apsw.Connection(os.fspath(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        with suppress(apsw.BusyError):  # a writer is at just that
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    finally:
        db.close()
