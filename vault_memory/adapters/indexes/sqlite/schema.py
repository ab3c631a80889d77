"""The tables of the index, and the few facts it keeps about itself."""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import Any

import apsw

VERSION = 8
"""Raised with any change below, and with any change of what the columns mean."""

NO_EMBEDDER = "none"


def _tokenizer() -> str:
    """FTS5's `ascii` tokenizer made to cut at spaces alone, quoted as a table option.

    Terms are cut in the model and joined by spaces; here they only have to come apart again.
    """
    characters = string.punctuation.replace("'", "''")
    return f"ascii tokenchars '{characters}'".replace('"', '""')


_SAID = """version TEXT NOT NULL,
        id TEXT,
        title TEXT NOT NULL,
        importance REAL NOT NULL,
        tags TEXT NOT NULL,
        inline_tags TEXT NOT NULL,
        aliases TEXT NOT NULL,
        kind TEXT,
        pinned INTEGER NOT NULL,
        source_agent TEXT,
        created INTEGER,
        updated INTEGER,
        dated INTEGER,
        expires INTEGER,
        size ANY NOT NULL,
        conflicted INTEGER NOT NULL,
        front TEXT NOT NULL"""
"""What a memory says of itself: of those that are there and, to tell of them, of those that left."""

TABLES = (
    """
    CREATE TABLE meta (
        name TEXT PRIMARY KEY,
        value ANY
    ) STRICT, WITHOUT ROWID
    """,
    # ANY, because an inode or a time may not fit into SQLite's integers and is text then.
    """
    CREATE TABLE files (
        path TEXT PRIMARY KEY,
        size ANY NOT NULL,
        mtime_ns ANY NOT NULL,
        ctime_ns ANY NOT NULL,
        inode ANY NOT NULL,
        version TEXT NOT NULL,
        settled INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # Times are microseconds since 1970. `owner` is the agent of a private folder, / for what lies
    # in private/ itself. `home` is the folder without a month at its end. The passages of a memory
    # are `passage_count` numbers from `first_passage` on. `digest` tells whether anything changed.
    # `generation` is the one that brought this row, `born` the one in which the path came to the index.
    f"""
    CREATE TABLE memories (
        number INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        {_SAID},
        owner TEXT,
        folder TEXT NOT NULL,
        home TEXT NOT NULL,
        id_key TEXT,
        title_key TEXT NOT NULL,
        body_key TEXT NOT NULL,
        first_passage INTEGER NOT NULL,
        passage_count INTEGER NOT NULL,
        digest BLOB NOT NULL,
        generation INTEGER NOT NULL,
        born INTEGER NOT NULL
    ) STRICT
    """,
    # The memories that left last, so that somebody can be told. `generation` is the one that they left with,
    # `written` the one that brought them as they were then.
    f"""
    CREATE TABLE gone (
        number INTEGER PRIMARY KEY,
        generation INTEGER NOT NULL,
        written INTEGER NOT NULL,
        born INTEGER NOT NULL,
        owner TEXT,
        path TEXT NOT NULL,
        {_SAID}
    ) STRICT
    """,
    "CREATE INDEX memories_by_id ON memories (id_key)",
    "CREATE INDEX memories_by_title ON memories (title_key)",
    "CREATE INDEX memories_by_body ON memories (body_key)",
    "CREATE INDEX memories_by_owner ON memories (owner)",
    # What scoring needs of every passage, kept narrow: a new reader reads it whole. `day` is the
    # memory's, counted from 1970, or far below all days where it has none.
    """
    CREATE TABLE passages (
        number INTEGER PRIMARY KEY,
        memory INTEGER NOT NULL,
        length INTEGER NOT NULL,
        voice INTEGER NOT NULL,
        cues INTEGER NOT NULL,
        day INTEGER NOT NULL,
        text_hash TEXT NOT NULL
    ) STRICT
    """,
    # Who speaks or wrote; a name that no passage has any more does no harm.
    """
    CREATE TABLE voices (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    ) STRICT
    """,
    # `weight` is what the text weighs in a recall (model/boxing.py), by the counter of tokens that
    # `reading` names.
    """
    CREATE TABLE texts (
        number INTEGER PRIMARY KEY,
        ordinal INTEGER NOT NULL,
        start_line INTEGER NOT NULL,
        end_line INTEGER NOT NULL,
        headings TEXT NOT NULL,
        weight INTEGER,
        text TEXT NOT NULL
    ) STRICT
    """,
    # The passages that came, went or changed last, each with its terms now, NULL where it is gone: who
    # has read all before reads no more than these. Numbered without a gap as long as all are there.
    """
    CREATE TABLE touched (
        number INTEGER PRIMARY KEY,
        passage INTEGER NOT NULL,
        own TEXT,
        context TEXT
    ) STRICT
    """,
    """
    CREATE TABLE links (
        memory INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        target TEXT NOT NULL,
        line INTEGER NOT NULL,
        kind TEXT NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (memory, ordinal)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX links_superseding ON links (target, memory) WHERE kind = 'supersedes'",
    """
    CREATE TABLE findings (
        memory INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        line INTEGER NOT NULL,
        code TEXT NOT NULL,
        message TEXT NOT NULL,
        advice TEXT NOT NULL,
        PRIMARY KEY (memory, ordinal)
    ) STRICT, WITHOUT ROWID
    """,
    # Numbers are never given twice, so that a reader can fetch just what is new to it.
    """
    CREATE TABLE vectors (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        embedder TEXT NOT NULL,
        text_hash TEXT NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (embedder, text_hash)
    ) STRICT
    """,
    f"""
    CREATE VIRTUAL TABLE terms USING fts5 (
        own,
        context,
        content = '',
        contentless_delete = 1,
        detail = full,
        tokenize = "{_tokenizer()}"
    )
    """,
    "CREATE VIRTUAL TABLE places USING fts5vocab (terms, instance)",
    "CREATE VIRTUAL TABLE counts USING fts5vocab (terms, row)",
)

# From 1 MB to 8 MB of new terms in memory: a first index writes fewer segments.
_SET_HASH_SIZE = "INSERT INTO terms (terms, rank) VALUES ('hashsize', 8388608)"

_ANY_TABLE = """
    SELECT count(*)
    FROM sqlite_schema
    """
_HAS_META = """
    SELECT count(*)
    FROM sqlite_schema
    WHERE type = 'table' AND name = 'meta'
    """
_READ_META = """
    SELECT name, value
    FROM meta
    ORDER BY name
    """
_READ_FACT = """
    SELECT value
    FROM meta
    WHERE name = ?
    """
_WRITE_FACT = """
    INSERT INTO meta (name, value)
    VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """


@dataclass(frozen=True, slots=True)
class Meta:
    """What an index says of itself.

    `reading` names the settings that the rows depend on beside the files' bytes.
    `instance` names the file itself: it changes when the file is made anew. `generation` counts
    changes of content, `writes` all changes. `memories` is the highest memory number ever given,
    `touched` that of the table of this name. Of what left before the generation `horizon` not all is known.
    `empty_because` is why it was made anew, `None` once it has been filled.
    """

    schema: int
    reading: str
    instance: str
    embedder: str
    generation: int
    writes: int
    memories: int
    touched: int
    horizon: int
    empty_because: str | None


def is_empty(db: apsw.Connection) -> bool:
    """Whether the file holds no table at all."""
    return not db.execute(_ANY_TABLE).get


def create(db: apsw.Connection, *, reading: str, instance: str, embedder: str, because: str) -> None:
    """Make the tables, unless another process did in the meantime."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if is_empty(db):
            for statement in TABLES:
                db.execute(statement)
            db.execute(_SET_HASH_SIZE)
            facts = (
                ("schema", VERSION),
                ("reading", reading),
                ("instance", instance),
                ("embedder", embedder),
                ("generation", 0),
                ("writes", 0),
                ("memories", 0),
                ("touched", 0),
                ("horizon", 0),
                ("empty_because", because),
            )
            db.executemany(_WRITE_FACT, facts)
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def read_schema(db: apsw.Connection) -> int | None:
    """The version of the schema, `None` where the file is not an index of ours."""
    if not db.execute(_HAS_META).get:
        return None
    found = read_fact(db, "schema")
    return found if isinstance(found, int) else None


def read_meta(db: apsw.Connection) -> Meta:
    """All facts; raises `apsw.CorruptError` where one is missing."""
    facts = dict(_rows(db))
    try:
        return Meta(
            schema=int(facts["schema"]),
            reading=str(facts["reading"]),
            instance=str(facts["instance"]),
            embedder=str(facts["embedder"]),
            generation=int(facts["generation"]),
            writes=int(facts["writes"]),
            memories=int(facts["memories"]),
            touched=int(facts["touched"]),
            horizon=int(facts["horizon"]),
            empty_because=facts["empty_because"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise apsw.CorruptError(f"the index does not say its {error}") from error


def _rows(db: apsw.Connection) -> list[tuple[Any, ...]]:
    return db.execute(_READ_META).fetchall()


def read_fact(db: apsw.Connection, name: str) -> object:
    """One fact, `None` where it is missing."""
    row = db.execute(_READ_FACT, (name,)).fetchone()
    return row[0] if row else None


def write_fact(db: apsw.Connection, name: str, value: str | int | None) -> None:
    """Set one fact."""
    db.execute(_WRITE_FACT, (name, value))
