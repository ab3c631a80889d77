"""Telling which of several texts say nearly the same, so that one of them is enough."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.model.normalform import normalized
from vault_memory.model.textkey import text_key

THRESHOLD = 0.9
"""The share of three-word runs (of all that either text has) that near-identical texts have in common."""
RUN = 3
_LENGTHS = 0.7
"""Of texts that are near-identical the shorter one has so large a part of the other's length."""

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
    telling: list[int]
    """Some of `runs`, in an order that is the same for all texts: near-identical ones share one."""


class Known:
    """Texts met so far, by number, to tell which of them a new one nearly repeats.

    Texts that differ in a number, a negation or a comparison are never near-identical; empty ones neither.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._first_of: dict[int, int] = {}
        self._by_key: dict[str, int] = {}
        self._by_run: dict[object, dict[int, list[int]]] = {}
        self._shapes: dict[int, _Shape] = {}

    def first_like(self, number: int, text: str) -> int | None:
        """The first near-identical text's number; where there is none, remember this one and give `None`."""
        if not text.strip():
            return None
        same = self._by_key.setdefault(text_key(text), number)
        if same != number:
            return self._repeats(number, self._first_of.get(same, same))
        shape = _shape(text, self._threshold)
        alike = self._by_run.setdefault(shape.decisive, {})
        rivals = {rival for run in shape.telling if run in alike for rival in alike[run]}
        for rival in sorted(rivals):
            if _jaccard(shape, self._shapes[rival]) >= self._threshold:
                return self._repeats(number, rival)
        self._shapes[number] = shape
        for run in shape.telling:
            alike.setdefault(run, []).append(number)
        return None

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


def _shape(text: str, threshold: float) -> _Shape:
    folded = normalized("NFKC", text).casefold()
    words = _words(_APOSTROPHE.sub("", folded))
    numbers = frozenset(_NUMBER.findall(folded)) if _may_hold_digits(folded) else frozenset()
    deciding = () if _DECIDING.isdisjoint(words) else tuple(word for word in words if word in _DECIDING)
    following = (words[start:] for start in range(RUN))
    runs = frozenset(map(hash, zip(*following, strict=False)))
    if not runs and words:
        runs = frozenset((hash(tuple(words)),))
    # Two sets whose Jaccard index reaches the threshold differ in so few members that, in any common
    # order, the first members of either of this count include one that both have.
    telling = len(runs) - int(threshold * len(runs)) + 1
    return _Shape((numbers, deciding), runs, sorted(runs)[:telling])


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
