"""A corpus after some of its passages changed, made of the one before: what did not change is not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vault_memory.model import around
from vault_memory.model.corpus import NO_DAY, Corpus, sides_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vault_memory.model.corpus import Numbers
    from vault_memory.model.weights import Weights

    Column = NDArray[Any]

REACH = 2
"""So far from a passage the ones stand that it says something of."""
_SPARE = 1_024
_SPARE_SHARE = 8
_ROOM = "room"
_WEIGHTINGS = 2
"""So many weightings' lengths are carried on: a vault has one."""


class Rows(NamedTuple):
    """Some passages as they are now, by number ascending: a column as in `Corpus`, with what stands for
    none where there is none any more."""

    numbers: Numbers
    lengths: Numbers
    memories: Numbers
    voices: Numbers
    cues: Numbers
    days: Numbers


@dataclass(slots=True)
class _Room:
    """Columns that are longer than what is taken of them, for passages to come."""

    columns: dict[object, Column]
    taken: int


def absent(numbers: Numbers) -> Rows:
    """These passages as none."""
    import numpy as np

    def all_of(value: int) -> Numbers:
        return np.full(numbers.size, value, np.int64)

    return Rows(numbers, all_of(-1), all_of(-1), all_of(0), all_of(0), all_of(NO_DAY))


def grown(corpus: Corpus, rows: Rows, names: Mapping[int, str]) -> Corpus:
    """The corpus with these passages as they are now, equal to one that is read anew.

    `corpus` stays as it is. New passages behind its last one cost what they are; a change among those
    that are there costs a copy of the arrays.
    """
    import numpy as np

    old = corpus.lengths.size
    size = _size(corpus.lengths, rows)
    appends = bool(rows.numbers.size) and int(rows.numbers[0]) >= old and size > old
    room = _room_for(corpus, size, appends=appends)
    first = old if appends else 0
    inside = rows.numbers < size
    for name, empty in _EMPTY.items():
        column = room.columns[name]
        column[old:size] = empty
        column[rows.numbers[inside]] = getattr(rows, name)[inside]
    for key in [key for key in room.columns if key not in _EMPTY]:
        room.columns[key][old:size] = 0
    near = _around(rows.numbers[inside], first, size)
    _patch_sides(room, near, size)
    columns = {name: _view(room, name, size) for name in _EMPTY}
    shared: dict[Any, Any] = {_ROOM: room, "sides": _view(room, "sides", size)}
    room.taken = size
    lengths = columns["lengths"]
    count = int(np.count_nonzero(lengths >= 0))
    mean = float(np.maximum(lengths, 0).sum()) / count if count else 0.0
    found = Corpus(
        count,
        mean,
        lengths,
        columns["memories"],
        columns["voices"],
        columns["cues"],
        columns["days"],
        names,
        shared=shared,
    )
    for key in [key for key in room.columns if isinstance(key, tuple)]:
        _patch_lengths(found, room, key, near)
    return found


_EMPTY = {"lengths": -1, "memories": -1, "voices": 0, "cues": 0, "days": NO_DAY}


def _size(lengths: Numbers, rows: Rows) -> int:
    """One more than the highest passage that there is now."""
    here = rows.numbers[rows.lengths >= 0]
    highest = int(here[-1]) if here.size else 0
    gone = frozenset(rows.numbers[rows.lengths < 0].tolist())
    last = lengths.size - 1
    while last > highest and (last in gone or lengths[last] < 0):
        last -= 1
    return max(last, highest) + 1


def _room_for(corpus: Corpus, size: int, *, appends: bool) -> _Room:
    """Columns in which what is taken by `corpus` is as it is there, and the rest is free to be written."""
    import numpy as np

    room: _Room | None = corpus.shared.get(_ROOM)
    used = corpus.lengths.size
    if room is not None and appends and room.taken == used and size <= room.columns["lengths"].size:
        return room
    wanted: dict[object, Column] = {name: getattr(corpus, name) for name in _EMPTY}
    wanted["sides"] = corpus.sides()
    measured = {key: each for key, each in corpus.shared.items() if isinstance(key, tuple)}
    wanted |= dict(list(measured.items())[-_WEIGHTINGS:])
    spare = _SPARE + size // _SPARE_SHARE
    columns: dict[object, Column] = {}
    for key, old in wanted.items():
        columns[key] = np.empty(size + spare, old.dtype)
        columns[key][: min(used, size)] = old[:size]
    return _Room(columns, used)


def _view(room: _Room, key: object, size: int) -> Column:
    view = room.columns[key][:size]
    view.setflags(write=False)
    return view


def _around(numbers: Numbers, first: int, size: int) -> Numbers:
    """These and those within reach, from `first` on: what stands before is of other memories."""
    import numpy as np

    steps = np.arange(-REACH, REACH + 1)
    near = np.unique((numbers[:, None] + steps).reshape(-1))
    found: Numbers = near[(near >= first) & (near < size)]
    return found


def _patch_sides(room: _Room, near: Numbers, size: int) -> None:
    """Reckon the sides of these passages anew."""
    import numpy as np

    sides = room.columns["sides"]
    if not near.size:
        return
    # Where numbers follow each other, a run of them is reckoned at once, with its neighbours beside it.
    breaks = np.flatnonzero(np.diff(near) > 1) + 1
    for run in np.split(near, breaks):
        first, last = int(run[0]), int(run[-1])
        low, high = max(first - REACH, 0), min(last + 1 + REACH, size)
        made = sides_of(*(room.columns[name][low:high] for name in ("memories", "voices", "cues")))
        sides[first : last + 1] = made[first - low : last + 1 - low]


def _patch_lengths(corpus: Corpus, room: _Room, key: tuple[str, Weights], near: Numbers) -> None:
    """Reckon the lengths with what neighbours lend of these passages anew."""
    import numpy as np

    size = corpus.lengths.size
    only = np.zeros(size, np.bool_)
    only[near] = True
    lenders = _around(near, 0, size)
    lenders = lenders[corpus.lengths[lenders] > 0]
    own = corpus.lengths[lenders].astype(np.float64)
    lent = around.spread(corpus, key[1], lenders, own, own, only)
    room.columns[key][near] = 0.0
    room.columns[key][lent.numbers] = lent.counts
    corpus.shared[key] = _view(room, key, size)
