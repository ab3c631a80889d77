"""Vectors: kept in the file by text hash and embedder, searched as one matrix in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import apsw

from vault_memory.adapters.indexes.sqlite import schema
from vault_memory.adapters.indexes.sqlite.rows import select

if TYPE_CHECKING:
    from vault_memory.model.bm25 import Numbers
    from vault_memory.model.vector import Vectors

_FLOAT_BYTES = 4

_PUT = """
    INSERT OR REPLACE INTO vectors (embedder, text_hash, vector)
    VALUES (?, ?, ?)
    """
_ANY_OTHER = """
    SELECT EXISTS (SELECT 1 FROM vectors WHERE embedder < ?)
        OR EXISTS (SELECT 1 FROM vectors WHERE embedder > ?)
    """
_ANY_MISSING = """
    SELECT EXISTS (
        SELECT 1
        FROM passages
        WHERE NOT EXISTS (
            SELECT 1
            FROM vectors
            WHERE embedder = ? AND vectors.text_hash = passages.text_hash
        )
    )
    """
_DELETE_OTHERS = """
    DELETE FROM vectors
    WHERE embedder <> ?
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
    """
_HASHES = """
    SELECT number, text_hash
    FROM passages
    ORDER BY number
    """
_SINCE = """
    SELECT number, text_hash, vector
    FROM vectors
    WHERE number > ? AND embedder = ? AND length(vector) = ?
    ORDER BY number
    """


def store(db: apsw.Connection, embedder: str, vectors: Mapping[str, bytes]) -> None:
    """Keep vectors; those of other embedders go once no passage lacks one of this embedder's."""
    db.executemany(_PUT, ((embedder, text_hash, vector) for text_hash, vector in vectors.items()))
    if db.execute(_ANY_OTHER, (embedder, embedder)).get and not db.execute(_ANY_MISSING, (embedder,)).get:
        db.execute(_DELETE_OTHERS, (embedder,))
    schema.write_fact(db, "embedder", embedder)


def missing(db: apsw.Connection, embedder: str) -> dict[str, str]:
    """Text hash → text of the passages without a vector of this embedder."""
    return dict(select(db, _MISSING, (embedder,)))


class Matrix:
    """The vectors of one embedder and one length, and which passages they are of.

    Vectors once read stay; `look` reads the new ones and joins them to the passages of now.
    """

    def __init__(self, embedder: str, dimensions: int) -> None:
        import numpy as np

        self.embedder = embedder
        self.dimensions = dimensions
        self._rows: Vectors = np.empty((0, dimensions), dtype=np.float32)
        self._row_of: dict[str, int] = {}
        self._last = 0
        self._passages: Numbers = np.empty(0, dtype=np.int64)
        self._at: Numbers = np.empty(0, dtype=np.int64)
        self._generation = -1

    def look(self, db: apsw.Connection, generation: int) -> None:
        """Bring it to that generation."""
        import numpy as np

        if generation == self._generation:
            return
        self._generation = -1
        fresh = select(db, _SINCE, (self._last, self.embedder, self.dimensions * _FLOAT_BYTES))
        if fresh:
            added = np.frombuffer(b"".join(row[2] for row in fresh), dtype="<f4").astype(np.float32)
            first = len(self._rows)
            self._rows = np.concatenate((self._rows, added.reshape(-1, self.dimensions)))
            self._row_of.update((row[1], at) for at, row in enumerate(fresh, first))
            self._last = fresh[-1][0]
        row_of = self._row_of
        joined = [
            (number, row_of[text_hash]) for number, text_hash in select(db, _HASHES) if text_hash in row_of
        ]
        pairs = np.array(joined, dtype=np.int64).reshape(-1, 2)
        self._passages, self._at = pairs[:, 0], pairs[:, 1]
        self._generation = generation

    def nearest(self, query: Vectors, limit: int) -> list[tuple[int, float]]:
        """(passage number, cosine), best first; of equals, the lower number first."""
        import numpy as np

        if limit <= 0 or not self._passages.size:
            return []
        cosines = (self._rows @ query.reshape(-1))[self._at]
        chosen = np.arange(cosines.size)
        if limit < cosines.size:
            worst = np.partition(cosines, cosines.size - limit)[cosines.size - limit]
            chosen = np.flatnonzero(cosines >= worst)
        order = np.lexsort((self._passages[chosen], -cosines[chosen]))[:limit]
        best = chosen[order]
        return [(int(self._passages[n]), float(cosines[n])) for n in best]
