"""What BM25 is computed from: counts and lengths of all passages, and where a term stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from vault_memory.adapters.indexes.sqlite.rows import clean, select
from vault_memory.model.bm25 import Corpus, Postings

if TYPE_CHECKING:
    from vault_memory.model.bm25 import Numbers

# One row for all of it, parsed at once: thousands of rows would cost more in Python than in SQLite.
_LENGTHS = """
    SELECT group_concat(number), group_concat(memory), group_concat(length)
    FROM (
        SELECT number, memory, length
        FROM passages
        ORDER BY number
    )
    """
# A passage's number doubled, plus one where the term stands in the context.
_PLACES = """
    SELECT group_concat(doc * 2 + (col = 'context'))
    FROM places
    WHERE term = ?
    """


def read_corpus(db: apsw.Connection) -> Corpus:
    """Lengths and memories of all passages, as arrays by passage number."""
    import numpy as np

    number, memory, length = (_numbers(text) for text in select(db, _LENGTHS)[0])
    size = int(number[-1]) + 1 if number.size else 1
    lengths = np.full(size, -1, dtype=np.int64)
    memories = np.full(size, -1, dtype=np.int64)
    lengths[number] = length
    memories[number] = memory
    _seal(lengths, memories)
    count = int(number.size)
    return Corpus(
        count=count,
        mean_length=float(length.sum()) / count if count else 0.0,
        lengths=lengths,
        memories=memories,
    )


def read_postings(db: apsw.Connection, term: str) -> Postings:
    """The passages that hold the term, ascending, with its counts in text and in context."""
    import numpy as np

    # FTS5 gives them in order already, but promises nothing; sorting what is sorted costs little.
    found = np.sort(_numbers(db.execute(_PLACES, (clean(term),)).get), kind="stable")
    first_of_place = _first_of_each(found)
    counts = np.diff(first_of_place, append=found.size)
    places = found[first_of_place]
    first_of_passage = _first_of_each(places >> 1)
    passages = places[first_of_passage] >> 1
    at = np.repeat(np.arange(passages.size), np.diff(first_of_passage, append=places.size))
    own = np.zeros(passages.size, dtype=np.int64)
    context = np.zeros(passages.size, dtype=np.int64)
    in_context = (places & 1).astype(bool)
    own[at[~in_context]] = counts[~in_context]
    context[at[in_context]] = counts[in_context]
    _seal(passages, own, context)
    return Postings(term, passages, own, context)


def _first_of_each(ascending: Numbers) -> Numbers:
    """Where each run of equal numbers begins."""
    import numpy as np

    return np.flatnonzero(np.diff(ascending, prepend=-1))


def _seal(*arrays: Numbers) -> None:
    """They are kept and given out again: nobody may write into them."""
    for array in arrays:
        array.setflags(write=False)


def _numbers(text: str | int | None) -> Numbers:
    import numpy as np

    if text is None:
        return np.empty(0, dtype=np.int64)
    return np.fromstring(str(text), dtype=np.int64, sep=",")
