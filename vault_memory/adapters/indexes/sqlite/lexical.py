"""What BM25 is computed from: counts and lengths of all passages, and where a term stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from vault_memory.adapters.indexes.sqlite.rows import clean, select
from vault_memory.model.corpus import NO_DAY, Corpus, Postings

if TYPE_CHECKING:
    from vault_memory.model.corpus import Numbers

# One row for all of it, parsed at once: thousands of rows would cost more in Python than in SQLite.
_LENGTHS = """
    SELECT group_concat(number), group_concat(memory), group_concat(length), group_concat(voice),
        group_concat(cues), group_concat(day)
    FROM (
        SELECT number, memory, length, voice, cues, day
        FROM passages
        ORDER BY number
    )
    """
_VOICES = """
    SELECT number, name
    FROM voices
    ORDER BY number
    """
# A passage's number doubled, plus one where the term stands in the context.
_PLACES = """
    SELECT group_concat(doc * 2 + (col = 'context'))
    FROM places
    WHERE term = ?
    """

_HIDDEN = """
    SELECT group_concat(number)
    FROM memories
    WHERE owner IS NOT NULL AND owner <> ?
    """


def read_corpus(db: apsw.Connection) -> Corpus:
    """What scoring needs of all passages, as arrays by passage number."""
    import numpy as np

    number, *columns = (_numbers(text) for text in select(db, _LENGTHS)[0])
    size = int(number[-1]) + 1 if number.size else 1

    def by_number(column: Numbers, absent: int) -> Numbers:
        placed = np.full(size, absent, dtype=np.int64)
        placed[number] = column
        return _seal(placed)[0]

    absent = (-1, -1, 0, 0, NO_DAY)
    memory, length, voice, cues, day = map(by_number, columns, absent)
    count = int(number.size)
    return Corpus(
        count=count,
        mean_length=float(columns[1].sum()) / count if count else 0.0,
        lengths=length,
        memories=memory,
        voices=voice,
        cues=cues,
        days=day,
        names=dict(select(db, _VOICES)),
    )


def read_hidden(db: apsw.Connection, agent: str) -> Numbers:
    """The memories that lie in private folders and not in this agent's."""
    return _numbers(db.execute(_HIDDEN, (agent,)).get)


def read_postings(db: apsw.Connection, term: str) -> Postings:
    """The passages that hold the term, ascending, with its counts in text and in context."""
    import numpy as np

    found = _numbers(db.execute(_PLACES, (clean(term),)).get)
    if not found.size:
        return Postings(term, *_seal(found, found, found))
    # FTS5 gives them in order already, but promises nothing; sorting what is sorted costs little.
    found.sort(kind="stable")
    of = found >> 1
    first = np.concatenate(([0], np.flatnonzero(of[1:] != of[:-1]) + 1))
    context = np.add.reduceat(found & 1, first)
    held = np.diff(np.concatenate((first, [found.size])))
    return Postings(term, *_seal(of[first], held - context, context))


def _seal(*arrays: Numbers) -> tuple[Numbers, ...]:
    """They are kept and given out again: nobody may write into them."""
    for array in arrays:
        array.setflags(write=False)
    return arrays


def _numbers(text: str | int | None) -> Numbers:
    import numpy as np

    if text is None:
        return np.empty(0, dtype=np.int64)
    return np.fromstring(str(text), dtype=np.int64, sep=",")
