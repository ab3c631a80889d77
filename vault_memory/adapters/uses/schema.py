"""The tables of `uses.db`, and its opening: what came with a clone is not trusted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from vault_memory.errors import StorageError

if TYPE_CHECKING:
    import apsw

VERSION = 1
BUSY_SECONDS = 0.05
"""How long another process may keep the file before we write later, or read what we have."""

_TABLES = """
CREATE TABLE answers (
    number  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    agent   TEXT,
    door    TEXT NOT NULL,
    session TEXT,
    tokens  INTEGER NOT NULL,
    whole   INTEGER NOT NULL
) STRICT;
CREATE TABLE memories (
    number  INTEGER PRIMARY KEY,
    path    TEXT NOT NULL,
    id      TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (path, id, version)
) STRICT;
CREATE TABLE given (
    answer INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (answer, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_at
ON answers (at);
CREATE INDEX answers_session
ON answers (session)
WHERE session IS NOT NULL
"""
"""A memory without an id has an empty one: `UNIQUE` takes each NULL for another."""


def connect(place: str) -> apsw.Connection:
    """Open the file at `place`, made where it is missing. Raises `StorageError` for one of a later version,
    and apsw's own errors."""
    import apsw

    # Our folder may have been deleted since, but not the vault around it.
    with contextlib.suppress(OSError):
        os.mkdir(os.path.dirname(place), 0o700)
    with contextlib.ExitStack() as on_failure:
        connection = apsw.Connection(place)
        on_failure.callback(connection.close)
        connection.set_busy_timeout(int(BUSY_SECONDS * 1000))
        # The file may have come with a clone: what its tables tell SQLite to do is not done.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        if connection.pragma("user_version") != VERSION:
            _make_tables(connection, place)
        on_failure.pop_all()
    return connection


def _make_tables(connection: apsw.Connection, place: str) -> None:
    with transaction(connection):
        version = connection.pragma("user_version")  # again: another process may have been first
        if version > VERSION:
            raise StorageError(place, f"it is of version {version}, and we know {VERSION}")
        if version < VERSION:
            connection.execute(_TABLES)
            connection.pragma("user_version", VERSION)


@contextlib.contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All inside or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
