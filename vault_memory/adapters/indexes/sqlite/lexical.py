"""What BM25 is computed from: counts and lengths of all passages, and where a term stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import apsw

from vault_memory.adapters.indexes.sqlite.rows import clean, select
from vault_memory.model.corpus import NO_DAY, Corpus, Postings
from vault_memory.model.growing import Rows, absent

if TYPE_CHECKING:
    from vault_memory.model.corpus import Flags, Numbers

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

_COUNTS_AFTER = """
    SELECT term, doc
    FROM counts
    WHERE term > ?
    ORDER BY term
    LIMIT ?
    """
_ROWS = """
    SELECT passages.number, length, memory, voice, cues, day, owner, folder
    FROM json_each(?) AS asked
        CROSS JOIN passages ON passages.number = asked.value
        CROSS JOIN memories ON memories.number = passages.memory
    ORDER BY passages.number
    """
_OWNED = """
    SELECT owner, group_concat(first_passage), group_concat(passage_count)
    FROM memories
    WHERE owner IS NOT NULL
    GROUP BY owner
    ORDER BY owner
    """

_FOLDERS = """
    SELECT folder, group_concat(first_passage), group_concat(passage_count)
    FROM memories
    GROUP BY folder
    ORDER BY folder
    """

_ABSENT = {"lengths": -1, "memories": -1, "voices": 0, "cues": 0, "days": NO_DAY}
_TYPES = {"lengths": "i4", "memories": "i8", "voices": "i4", "cues": "u1", "days": "i4"}


class Now(NamedTuple):
    """Some passages as they are now, whose private folder each is in (`None`: nobody's), and which folder."""

    rows: Rows
    owners: Sequence[str | None]
    folders: Sequence[str | None]


class Belonging:
    """What each passage belongs to: an agent, or a folder."""

    def __init__(self, by_number: Numbers, names: dict[str, int]) -> None:
        """`by_number` is by passage: 0 for what belongs to none, else a number of `names`."""
        self._by_number = by_number
        self._names = names

    def open_to(self, may: Callable[[str], bool], size: int) -> Flags:
        """By passage number, whether it belongs to none, or to one of those that `may` says yes to."""
        import numpy as np

        belonging = self._by_number[:size]
        opened = np.zeros(len(self._names) + 1, np.bool_)
        opened[0] = True
        opened[[number for name, number in self._names.items() if may(name)]] = True
        found: Flags = np.ones(size, np.bool_)
        found[: belonging.size] = opened[belonging]
        return found

    def change(self, numbers: Numbers, names: Sequence[str | None]) -> None:
        """Take over what these passages (ascending) belong to now."""
        import numpy as np

        size = int(numbers[-1]) + 1 if numbers.size else 0
        if size > self._by_number.size:
            self._by_number = np.concatenate((self._by_number, np.zeros(size, np.int32)))
        self._by_number[numbers] = [
            0 if name is None else self._names.setdefault(name, len(self._names) + 1) for name in names
        ]


def read_corpus(db: apsw.Connection) -> Corpus:
    """What scoring needs of all passages, as arrays by passage number."""
    import numpy as np

    number, memory, length, voice, cues, day = (_numbers(text) for text in select(db, _LENGTHS)[0])
    size = int(number[-1]) + 1 if number.size else 1

    def by_number(name: str, column: Numbers) -> Numbers:
        placed = np.full(size, _ABSENT[name], dtype=_TYPES[name])
        placed[number] = column
        return _seal(placed)[0]

    count = int(number.size)
    return Corpus(
        count=count,
        mean_length=float(length.sum()) / count if count else 0.0,
        lengths=by_number("lengths", length),
        memories=by_number("memories", memory),
        voices=by_number("voices", voice),
        cues=by_number("cues", cues),
        days=by_number("days", day),
        names=dict(select(db, _VOICES)),
    )


def read_rows(db: apsw.Connection, numbers: Sequence[int]) -> Now:
    """These passages (ascending) as they are now."""
    import numpy as np

    asked = np.array(numbers, np.int64)
    rows = absent(asked)
    owners: list[str | None] = [None] * len(numbers)
    folders: list[str | None] = [None] * len(numbers)
    place = {number: at for at, number in enumerate(numbers)}
    for number, *values, owner, folder in select(db, _ROWS, (json.dumps(list(numbers)),)):
        at = place[number]
        owners[at], folders[at] = owner, folder
        for column, value in zip(rows[1:], values, strict=True):
            column[at] = value
    return Now(rows, owners, folders)


def read_names(db: apsw.Connection, now: Now, known: Mapping[int, str]) -> Mapping[int, str]:
    """The names of voices, read again where one of these passages has a new one."""
    voices = set(now.rows.voices.tolist()) - {0}
    return known if voices <= known.keys() else dict(select(db, _VOICES))


def read_owners(db: apsw.Connection) -> Belonging:
    """Whose private folders all passages are in."""
    return _belonging(db, _OWNED)


def read_folders(db: apsw.Connection) -> Belonging:
    """The folders that all passages are in."""
    return _belonging(db, _FOLDERS)


def _belonging(db: apsw.Connection, statement: str) -> Belonging:
    import numpy as np

    owned = [(name, _numbers(first), _numbers(count)) for name, first, count in select(db, statement)]
    size = max((int((first + count).max()) for _, first, count in owned), default=0)
    by_number = np.zeros(size, np.int32)
    for number, (_, first, count) in enumerate(owned, start=1):
        starts = np.repeat(first - np.concatenate(([0], np.cumsum(count)[:-1])), count)
        by_number[starts + np.arange(starts.size)] = number
    return Belonging(by_number, {name: number for number, (name, _, _) in enumerate(owned, start=1)})


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


def read_counts(db: apsw.Connection, after: str, limit: int) -> list[tuple[str, int]]:
    """The next terms in their order, each with the number of passages that hold it."""
    return [(term, count) for term, count in select(db, _COUNTS_AFTER, (after, limit))]


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
