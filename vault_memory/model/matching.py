"""Two texts held against each other part by part: where they differ, and what a matcher would have to do."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

Opcode = tuple[str, int, int, int, int]
"""What to do, and with which parts of the left and of the right."""

FEW, FEW_PAIRS = 1_000, 50_000
"""So many parts on either side are matched at once, where there are no more pairs of equal ones: each of them
may be looked at again for each match."""
_GAP, _GAP_PAIRS = 300, 2_000
"""So many of both between two parts that are known to belong together."""

_Parts = Sequence[Hashable]
_Pair = tuple[int, int]
"""Where a part stands on the left, and where an equal one on the right."""


class Middle(NamedTuple):
    """What lies between the parts that are the same at the beginning and at the end of both."""

    first: int
    left_end: int
    right_end: int


def middle(left: Sequence[Hashable], right: Sequence[Hashable]) -> Middle:
    """Where the two differ; nothing in between where they don't."""
    first = _alike(left, right)
    last = _alike(left[first:][::-1], right[first:][::-1])
    return Middle(first, len(left) - last, len(right) - last)


def _alike(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """How many parts are the same from the beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))


def pairs(left: Sequence[Hashable], right: Sequence[Hashable], *, common: int | None = None) -> int:
    """How many pairs of equal parts there are, which a matcher looks at one by one; without those that stand
    more than `common` times on the right."""
    times = Counter(left)
    most = len(right) if common is None else common
    return sum(number * times[one] for one, number in Counter(right).items() if number <= most)


def opcodes(left: _Parts, right: _Parts, *, autojunk: bool = False) -> list[Opcode]:
    """What makes the right of the left, as `difflib` tells it (which `autojunk` is for).

    Of more than `FEW` parts, or `FEW_PAIRS`, those that stand but once on either side are matched first, then
    the first, the second … of those that are alike, and what lies between them: so it takes no longer than it
    takes to put the parts in order. A stretch where nothing belongs together may then be told as changed as a
    whole."""
    if max(len(left), len(right)) <= FEW and (autojunk or pairs(left, right) <= FEW_PAIRS):
        return [*difflib.SequenceMatcher(None, left, right, autojunk).get_opcodes()]
    first, left_end, right_end = middle(left, right)
    between = _matches(left[first:left_end], right[first:right_end], (_alone, _numbered))
    blocks = [
        (0, 0, first),
        *_blocks((first + i, first + j) for i, j in between),
        (left_end, right_end, len(left) - left_end),
        (len(left), len(right), 0),
    ]
    return list(_told(blocks))


def grouped(found: Sequence[Opcode], around: int) -> Iterator[list[Opcode]]:
    """The changes with at most `around` equal parts before and behind; those that lie near each other
    together."""
    group: list[Opcode] = []
    for number, (tag, i1, i2, j1, j2) in enumerate(found):
        if tag != "equal":
            group.append((tag, i1, i2, j1, j2))
            continue
        is_last = number == len(found) - 1
        if group and (is_last or i2 - i1 > 2 * around):
            group.append((tag, i1, min(i2, i1 + around), j1, min(j2, j1 + around)))
            yield group
            group = []
        if not is_last:
            least = i1 if group else max(i1, i2 - around)
            group.append((tag, least, i2, j2 - (i2 - least), j2))
    if any(tag != "equal" for tag, *_ in group):
        yield group


def _matches(
    left: _Parts, right: _Parts, ways: Sequence[Callable[[_Parts, _Parts], Iterable[_Pair]]]
) -> Iterator[_Pair]:
    """Equal parts that belong together, in the order of both sides; `ways` find those to begin with."""
    if max(len(left), len(right)) <= _GAP and pairs(left, right) <= _GAP_PAIRS:
        for i, j, size in difflib.SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks():
            yield from ((i + at, j + at) for at in range(size))
        return
    if not ways:
        return
    here, there = 0, 0
    for i, j in (*_in_order(ways[0](left, right)), (len(left), len(right))):
        if here < i and there < j:
            inner = _matches(left[here:i], right[there:j], ways[1:])
            yield from ((here + a, there + b) for a, b in inner)
        if i < len(left):
            yield i, j
        here, there = i + 1, j + 1


def _alone(left: _Parts, right: _Parts) -> Iterator[_Pair]:
    """Parts that stand but once on either side."""
    on_left, on_right = Counter(left), Counter(right)
    places = {one: at for at, one in enumerate(right) if on_right[one] == 1}
    return ((at, places[one]) for at, one in enumerate(left) if on_left[one] == 1 and one in places)


def _numbered(left: _Parts, right: _Parts) -> Iterator[_Pair]:
    """The first of those that are alike with the first on the other side, the second with the second."""
    places = {one: at for at, one in enumerate(_with_numbers(right))}
    return ((at, places[one]) for at, one in enumerate(_with_numbers(left)) if one in places)


def _with_numbers(parts: _Parts) -> Iterator[tuple[Hashable, int]]:
    met: Counter[Hashable] = Counter()
    for one in parts:
        met[one] += 1
        yield one, met[one]


def _in_order(found: Iterable[_Pair]) -> list[_Pair]:
    """As many as there can be of pairs in the order of the left that are in that of the right, too."""
    ends: list[int] = []
    last: list[tuple[_Pair, int]] = []
    chain: list[tuple[_Pair, int]] = []
    for pair in found:
        at = bisect_left(ends, pair[1])
        entry = (pair, last[at - 1][1] if at else -1)
        chain.append(entry)
        ends[at : at + 1] = [pair[1]]
        last[at : at + 1] = [(pair, len(chain) - 1)]
    kept: list[_Pair] = []
    number = last[-1][1] if last else -1
    while number >= 0:
        pair, number = chain[number]
        kept.append(pair)
    return kept[::-1]


def _blocks(found: Iterable[_Pair]) -> Iterator[tuple[int, int, int]]:
    """Where runs of pairs begin on either side, and how long they are."""
    start, size = (0, 0), 0
    for pair in found:
        if size and pair == (start[0] + size, start[1] + size):
            size += 1
            continue
        if size:
            yield (*start, size)
        start, size = pair, 1
    if size:
        yield (*start, size)


def _told(blocks: Iterable[tuple[int, int, int]]) -> Iterator[Opcode]:
    """What to do where those runs, in order, are all that stays; one of no length ends both sides."""
    i = j = 0
    for here, there, size in blocks:
        if i < here or j < there:
            tag = "replace" if i < here and j < there else "delete" if i < here else "insert"
            yield tag, i, here, j, there
        i, j = here + size, there + size
        if size:
            yield "equal", here, i, there, j
