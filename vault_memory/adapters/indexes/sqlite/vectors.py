"""Vectors, kept in the file by text hash and embedder."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

import apsw

from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.adapters.indexes.sqlite.nearrows import packed
from vault_memory.adapters.indexes.sqlite.rows import select

_PUT = """
    INSERT OR IGNORE INTO vectors (embedder, text_hash, vector)
    VALUES (?, ?, ?)
    """
# One name after the other, each found in the index of the table: it may hold a million vectors.
_EMBEDDERS = """
    WITH RECURSIVE names (name) AS (
        SELECT min(embedder) FROM vectors
        UNION ALL
        SELECT (SELECT min(embedder) FROM vectors WHERE embedder > name)
        FROM names
        WHERE name IS NOT NULL
    )
    SELECT name
    FROM names
    WHERE name IS NOT NULL
    ORDER BY name
    """
_NEWEST = """
    SELECT coalesce(max(number), 0)
    FROM vectors
    WHERE embedder = ?
    """
_COUNT = """
    SELECT count(*)
    FROM vectors
    WHERE embedder = ?
    """
_DELETE = """
    DELETE FROM vectors
    WHERE embedder = ?
    """
_DELETE_ORPHANS = """
    DELETE FROM vectors
    WHERE text_hash NOT IN (SELECT text_hash FROM passages)
    """
_SHARE = """
    SELECT
        count(*) FILTER (
            WHERE EXISTS (
                SELECT 1
                FROM vectors
                WHERE embedder = ? AND vectors.text_hash = hashes.text_hash
            )
        ),
        count(*)
    FROM (SELECT DISTINCT text_hash FROM passages) AS hashes
    """
_MISSING = """
    SELECT text_hash, text
    FROM passages JOIN texts USING (number)
    WHERE NOT EXISTS (
        SELECT 1
        FROM vectors
        WHERE embedder = ? AND vectors.text_hash = passages.text_hash
    )
    ORDER BY number
    LIMIT ?
    """


_MISSING_OF = """
    SELECT text_hash, text
    FROM json_each(?) AS asked
        CROSS JOIN passages ON passages.number = asked.value
        CROSS JOIN texts ON texts.number = passages.number
    WHERE NOT EXISTS (
        SELECT 1
        FROM vectors
        WHERE embedder = ? AND vectors.text_hash = passages.text_hash
    )
    ORDER BY passages.number
    LIMIT ?
    """


def store(db: apsw.Connection, embedder: str, vectors: Mapping[str, bytes]) -> None:
    """Keep vectors; a text that has one keeps it. Those of other embedders stay until `settle`."""
    db.executemany(_PUT, ((embedder, text_hash, packed(vector)) for text_hash, vector in vectors.items()))
    schema.write_fact(db, "embedder", embedder)


def missing(
    db: apsw.Connection, embedder: str, limit: int | None, among: Collection[int] | None = None
) -> dict[str, str]:
    """Text hash → text of the first `limit` passages without a vector of this embedder; `among` are the
    passages to look at, if not all."""
    most = -1 if limit is None else limit
    if among is None:
        return dict(select(db, _MISSING, (embedder, most)))
    return dict(select(db, _MISSING_OF, (json.dumps(list(among)), embedder, most)))


def share(db: apsw.Connection, embedder: str) -> tuple[int, int]:
    """(texts with a vector of this embedder, all texts)."""
    ((have, texts),) = select(db, _SHARE, (embedder,))
    return have, texts


def counts(db: apsw.Connection) -> dict[str, int]:
    """How many vectors there are, by embedder."""
    return {name: select(db, _COUNT, (name,))[0][0] for (name,) in select(db, _EMBEDDERS)}


def settle(db: apsw.Connection, embedder: str) -> None:
    """Note that this embedder's are complete; of the others those made last stay, for a way back."""
    others = [name for (name,) in select(db, _EMBEDDERS) if name != embedder]
    others.sort(key=lambda name: int(select(db, _NEWEST, (name,))[0][0]))
    for name in others[:-1]:
        db.execute(_DELETE, (name,))
    schema.write_fact(db, "embedder", embedder)


def prune(db: apsw.Connection) -> int:
    """Delete the vectors of texts that are in no passage; how many there were."""
    before = db.total_changes()
    db.execute(_DELETE_ORPHANS)
    return db.total_changes() - before
