"""The tables of `state.db`, and how a file of an older version becomes one of this."""

from __future__ import annotations

STEPS = (
    """
    CREATE TABLE intents (
        number       INTEGER PRIMARY KEY AUTOINCREMENT,
        op           TEXT NOT NULL,
        path         TEXT NOT NULL,
        version      TEXT,
        before       TEXT,
        message      TEXT NOT NULL,
        author_name  TEXT,
        author_email TEXT,
        branch       TEXT,
        at           TEXT NOT NULL,
        kept         BLOB,
        reason       TEXT
    ) STRICT
    """,
    """
    ALTER TABLE intents
    ADD COLUMN batch TEXT
    """,
    """
    CREATE TABLE messages (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        text   TEXT NOT NULL
    ) STRICT;
    ALTER TABLE intents
    ADD COLUMN shared_message INTEGER REFERENCES messages (number)
    """,
    """
    CREATE TABLE captures (
        agent    TEXT NOT NULL,
        start    TEXT NOT NULL,
        place    TEXT NOT NULL,
        "offset" INTEGER NOT NULL,
        line     INTEGER NOT NULL,
        tail     TEXT NOT NULL,
        PRIMARY KEY (agent, start, place)
    ) STRICT
    """,
)
"""Step n leads from version n to n + 1 (`PRAGMA user_version`). What stands here never changes."""

VERSION = len(STEPS)
"""The version this program writes."""
