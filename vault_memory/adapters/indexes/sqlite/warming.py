"""Reading ahead what answers will need, a little at a time: for a process that lives long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import lexical
from vault_memory.adapters.indexes.sqlite.rows import select
from vault_memory.model.namespace import PERSON

if TYPE_CHECKING:
    import apsw

    from vault_memory.adapters.indexes.sqlite.kept import Kept

MEMORIES, MEMORIES_AT_A_TIME = 20_000, 100
PASSAGES, PASSAGES_AT_A_TIME = 4_000, 200
"""So many are read ahead at most: of a larger vault the first ones, the others when they are asked for."""
TERMS_AT_A_TIME, PLACES_AT_A_TIME = 500, 20_000
"""Steps of a few milliseconds."""
SELDOM = 32
"""A term that stands in fewer passages is found in no time."""

_MEMORIES_AFTER = """
    SELECT number
    FROM memories
    WHERE number > ?
    ORDER BY number
    LIMIT ?
    """
_PASSAGES_AFTER = """
    SELECT number
    FROM passages
    WHERE number > ?
    ORDER BY number
    LIMIT ?
    """


class Warming:
    """How far the reading ahead has come. What changes meanwhile is followed as ever."""

    def __init__(self) -> None:
        self._last = 0
        self._count = 0
        self._term = ""
        self._terms: list[tuple[int, str]] = []
        """(passages that hold it, term), the commonest last."""
        self._steps: list[Callable[[apsw.Connection, Kept], bool]] = [
            self._read_postings,
            self._count_terms,
            self._read_passages,
            self._read_memories,
            self._read_corpus,
        ]

    def step(self, db: apsw.Connection, kept: Kept) -> bool:
        """Read a little more; whether there is anything left to read."""
        if self._steps and not self._steps[-1](db, kept):
            self._steps.pop()
            self._last = self._count = 0
        return bool(self._steps)

    # Each says whether there is more of its kind to read.

    def _read_corpus(self, db: apsw.Connection, kept: Kept) -> bool:
        kept.passages.corpus(db, PERSON)
        return False

    def _read_memories(self, db: apsw.Connection, kept: Kept) -> bool:
        numbers = self._next(db, _MEMORIES_AFTER, MEMORIES_AT_A_TIME)
        kept.entries(db, numbers)
        return bool(numbers) and self._count < MEMORIES

    def _read_passages(self, db: apsw.Connection, kept: Kept) -> bool:
        numbers = self._next(db, _PASSAGES_AFTER, PASSAGES_AT_A_TIME)
        kept.passages.passages(db, numbers)
        return bool(numbers) and self._count < PASSAGES

    def _count_terms(self, db: apsw.Connection, kept: Kept) -> bool:  # noqa: ARG002 - one shape for all
        found = lexical.read_counts(db, self._term, TERMS_AT_A_TIME)
        self._terms += [(count, term) for term, count in found if count >= SELDOM]
        if len(found) == TERMS_AT_A_TIME:
            self._term = found[-1][0]
            return True
        self._terms.sort()
        return False

    def _read_postings(self, db: apsw.Connection, kept: Kept) -> bool:
        places = 0
        while self._terms and places < PLACES_AT_A_TIME:
            count, term = self._terms.pop()
            places += count
            if not kept.passages.read_ahead(db, term):
                self._terms.clear()
        return bool(self._terms)

    def _next(self, db: apsw.Connection, statement: str, limit: int) -> list[int]:
        numbers = [row[0] for row in select(db, statement, (self._last, limit))]
        self._last = max(numbers, default=self._last)
        self._count += len(numbers)
        return numbers
