"""Telling which of several texts say nearly the same, so that one of them is enough."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from vault_memory.model.textkey import text_key

THRESHOLD = 0.9
"""The share of three-word runs (of all that either text has) that near-identical texts have in common."""
RUN = 3

_NUMBER = re.compile(r"(?<![a-z_])[-+<>=≤≥±$€£]*+[a-z_]*+\d(?:[a-z0-9_.,:/%-]*[a-z0-9_%])?")
"""A word with a digit and the signs that change what it means."""
_WORD = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+|[^\s!-/:-@\[-`{-~。、，！？]|[<>=+%#$&@-]")
"""Words, single characters of scripts without spaces, and signs that are not mere punctuation."""
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


def near_duplicates(texts: Sequence[str], threshold: float = THRESHOLD) -> dict[int, int]:
    """For each text that is near-identical to an earlier one: its index → the index of the first.

    Texts that differ in a number, a negation or a comparison are never near-identical; empty ones neither.
    """
    first_of: dict[int, int] = {}
    by_key: dict[str, int] = {}
    by_run: dict[object, dict[int, list[int]]] = {}
    shapes: dict[int, _Shape] = {}
    for index, text in enumerate(texts):
        if not text.strip():
            continue
        same = by_key.setdefault(text_key(text), index)
        if same != index:
            first_of[index] = first_of.get(same, same)
            continue
        shape = shapes[index] = _shape(text, threshold)
        alike = by_run.setdefault(shape.decisive, {})
        rivals = {rival for run in shape.telling if run in alike for rival in alike[run]}
        near = next((rival for rival in sorted(rivals) if _jaccard(shape, shapes[rival]) >= threshold), None)
        if near is not None:
            first_of[index] = near
            continue
        for run in shape.telling:
            alike.setdefault(run, []).append(index)
    return first_of


def _shape(text: str, threshold: float) -> _Shape:
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = _WORD.findall(_APOSTROPHE.sub("", folded))
    numbers = frozenset(_NUMBER.findall(folded))
    deciding = () if _DECIDING.isdisjoint(words) else tuple(word for word in words if word in _DECIDING)
    following = (words[start:] for start in range(RUN))
    runs = frozenset(map(hash, zip(*following, strict=False)))
    if not runs and words:
        runs = frozenset((hash(tuple(words)),))
    # Two sets whose Jaccard index reaches the threshold differ in so few members that, in any common
    # order, the first members of either of this count include one that both have.
    telling = len(runs) - int(threshold * len(runs)) + 1
    return _Shape((numbers, deciding), runs, sorted(runs)[:telling])


def _jaccard(one: _Shape, other: _Shape) -> float:
    shared = len(one.runs & other.runs)
    return shared / (len(one.runs) + len(other.runs) - shared)
