"""Two texts held against each other part by part: where they differ, and what a matcher would have to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

Opcode = tuple[str, int, int, int, int]
"""What to do, and with which parts of the left and of the right."""


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
