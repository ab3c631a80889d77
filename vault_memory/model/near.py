"""Telling which of several texts say nearly the same, so that one of them is enough."""

from __future__ import annotations

import re
import string
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.model.normalform import normalized
from vault_memory.model.textkey import text_key

THRESHOLD = 0.9
"""The share of three-word runs (of all that either text has) that near-identical texts have in common."""
RUN = 3
_LENGTHS = 0.7
"""Of texts that are near-identical the shorter one has so large a part of the other's length."""

PATIENCE = 16
"""So many comparisons for each text that is known are made until the runs are put in another order."""
_FEW = 64
"""Known texts that count as so many at least."""
_COUNTERS = 1 << 20
"""How many numbers tell how common runs are; two runs may share one, which costs time alone."""

_AHEAD = "-+<>=≤≥±$€£"
_NUMBER = re.compile(
    rf"(?<![a-z_])(?:(?<![{_AHEAD}])|(?<=[a-z_][{_AHEAD}]))"
    rf"[{_AHEAD}]*+[a-z_]*+\d(?:[a-z0-9_.,:/%-]*[a-z0-9_%])?"
)
"""A word with a digit and the signs that change what it means. It is looked for where a run of signs begins,
not at each of them: a ruled line is many."""
_WORD = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+|[^\s!-/:-@\[-`{-~。、，！？]|[<>=+%#$&@-]")
"""Words, single characters of scripts without spaces, and signs that are not mere punctuation."""
_SIGNS = "<>=+%#$&@-"
_SPACED = str.maketrans({sign: " " for sign in string.punctuation if sign not in _SIGNS})
"""Cuts ASCII texts as `_WORD` does, in a quarter of the time."""
_APOSTROPHE = re.compile("['’]")
_DECIDING = frozenset(
    "< > = ≤ ≥ ≠ no not never none nothing without cannot cant dont doesnt didnt isnt arent wasnt werent wont"
    " shouldnt mustnt nicht kein keine nie 不 没 無".split()
)


class _Shape(NamedTuple):
    decisive: tuple[frozenset[str], tuple[str, ...]]
    """Numbers, negations, comparisons: texts that differ in one of them do not say the same."""
    runs: frozenset[int]


class Known:
    """Texts met so far, by number, to tell which of them a new one nearly repeats.

    Texts that differ in a number, a negation or a comparison are never near-identical; empty ones neither.

    A text is compared with those that have one of its telling runs. Where that turns out to be many, since
    they were made from one template, the runs that few texts have come first from then on, and tell better.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._first_of: dict[int, int] = {}
        self._by_key: dict[str, int] = {}
        self._by_run: dict[object, dict[int, list[int]]] = {}
        self._shapes: dict[int, _Shape] = {}
        self._common: array[int] | None = None
        self._compared = 0

    def first_like(self, number: int, text: str) -> int | None:
        """The first near-identical text's number; where there is none, remember this one and give `None`."""
        if not text.strip():
            return None
        same = self._by_key.setdefault(text_key(text), number)
        if same != number:
            return self._repeats(number, self._first_of.get(same, same))
        shape = _shape(text)
        alike = self._by_run.get(shape.decisive, {})
        telling = self._telling(shape)
        rivals = {rival for run in telling if run in alike for rival in alike[run]}
        for rival in sorted(rivals):
            self._compared += 1
            if _jaccard(shape, self._shapes[rival]) >= self._threshold:
                return self._repeats(number, rival)
        self._shapes[number] = shape
        self._file(number, shape, telling)
        if self._compared > PATIENCE * max(len(self._shapes), _FEW):
            self._put_in_order()
        return None

    def _telling(self, shape: _Shape) -> list[int]:
        """Some of its runs: near-identical texts share one, since the order is the same for all."""
        # Two sets whose Jaccard index reaches the threshold differ in so few members that, in any common
        # order, the first members of either of this count include one that both have.
        count = len(shape.runs) - int(self._threshold * len(shape.runs)) + 1
        common = self._common
        if common is None:
            return sorted(shape.runs)[:count]
        return sorted(shape.runs, key=lambda run: (common[run % _COUNTERS], run))[:count]

    def _file(self, number: int, shape: _Shape, telling: Sequence[int]) -> None:
        alike = self._by_run.setdefault(shape.decisive, {})
        for run in telling:
            alike.setdefault(run, []).append(number)

    def _put_in_order(self) -> None:
        """From now on the runs that the fewest of the known texts have come first."""
        common = array("L", bytes(array("L").itemsize * _COUNTERS))
        for shape in self._shapes.values():
            for run in shape.runs:
                common[run % _COUNTERS] += 1
        self._common, self._compared = common, 0
        self._by_run.clear()
        for number, shape in self._shapes.items():
            self._file(number, shape, self._telling(shape))

    def _repeats(self, number: int, first: int) -> int:
        self._first_of[number] = first
        return first


def nearly_same(one: str, other: str, threshold: float = THRESHOLD) -> bool:
    """Whether two texts are near-identical. A text that is far longer than the other is not looked at."""
    if min(len(one), len(other)) < _LENGTHS * max(len(one), len(other)):
        return False
    return bool(near_duplicates([one, other], threshold))


def near_duplicates(texts: Sequence[str], threshold: float = THRESHOLD) -> dict[int, int]:
    """For each text that is near-identical to an earlier one: its index → the index of the first."""
    known = Known(threshold)
    found = ((index, known.first_like(index, text)) for index, text in enumerate(texts))
    return {index: first for index, first in found if first is not None}


def _shape(text: str) -> _Shape:
    folded = normalized("NFKC", text).casefold()
    words = _words(_APOSTROPHE.sub("", folded))
    numbers = frozenset(_NUMBER.findall(folded)) if _may_hold_digits(folded) else frozenset()
    deciding = () if _DECIDING.isdisjoint(words) else tuple(word for word in words if word in _DECIDING)
    following = (words[start:] for start in range(RUN))
    runs = frozenset(map(hash, zip(*following, strict=False)))
    if not runs and words:
        runs = frozenset((hash(tuple(words)),))
    return _Shape((numbers, deciding), runs)


def _words(text: str) -> list[str]:
    if not text.isascii():
        return _WORD.findall(text)
    spaced = text.translate(_SPACED)
    for sign in _SIGNS:
        if sign in spaced:
            spaced = spaced.replace(sign, f" {sign} ")
    return spaced.split()


def _may_hold_digits(text: str) -> bool:
    return not text.isascii() or any(digit in text for digit in string.digits)


def _jaccard(one: _Shape, other: _Shape) -> float:
    shared = len(one.runs & other.runs)
    return shared / (len(one.runs) + len(other.runs) - shared)
