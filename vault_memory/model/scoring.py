"""Scoring a memory: relevance, importance and recency, each to the power its strategy gives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from vault_memory.model.fusion import Fused
from vault_memory.model.hit import Matched, Parts, Strategy
from vault_memory.model.kinds import half_life_days
from vault_memory.model.memory import Entry

RELEVANCE_FLOOR = 0.01
IMPORTANCE_FLOOR = 0.2
RECENCY_FLOOR = 0.2
"""A part of 0 counts as its floor, so that no single part wipes out what the others say."""

UNDATED = 0.5
"""The recency of a memory whose age nobody knows."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Exponents:
    """How much each part matters: 0 not at all, 1 in proportion."""

    relevance: float
    importance: float
    recency: float


EXPONENTS: dict[Strategy, Exponents] = {
    # All that importance and recency can take away together is a factor of 0.59, so that a memory
    # of relevance 0.5 is never behind one of 0.25. More recency puts the last sessions of a long
    # conversation before those that answer (docs/retrieval.md).
    Strategy.BALANCED: Exponents(relevance=1.0, importance=0.25, recency=0.08),
    Strategy.RECENCY: Exponents(relevance=1.0, importance=0.1, recency=0.8),
    Strategy.IMPORTANCE: Exponents(relevance=1.0, importance=0.8, recency=0.1),
}


def recency(dated: datetime | None, now: datetime, half_life_days: float, *, pinned: bool = False) -> float:
    """How fresh a memory is, 0–1: 1 now (and for pinned ones), half of that after each half-life.

    Both times are aware. A time to come counts as now; an unknown one gives `UNDATED`. A half-life
    of 0 means that only the present counts, an infinite one that age does not matter.
    """
    if pinned:
        return 1.0
    if dated is None:
        return UNDATED
    age_days = (now - dated) / _DAY
    if age_days <= 0:
        return 1.0
    return 0.0 if half_life_days <= 0 else math.exp2(-age_days / half_life_days)


def score(of: Parts, strategy: Strategy) -> float:
    """The score, 0–1; it grows with each part whose exponent is not 0."""
    exponents = EXPONENTS[strategy]
    weight = (
        _lifted(of.importance, IMPORTANCE_FLOOR) ** exponents.importance
        * _lifted(of.recency, RECENCY_FLOOR) ** exponents.recency
    )
    return float(_lifted(of.relevance, RELEVANCE_FLOOR) ** exponents.relevance * weight)


def scorer(
    now: datetime, strategy: Strategy
) -> Callable[[Entry, Sequence[Fused]], tuple[Parts, list[Matched]]]:
    """What gives the parts of a memory's score, by the first of its passages, and each of these with a score
    of its own: as `score` has it of their relevances. It is asked for dozens of memories an answer."""
    exponents = EXPONENTS[strategy]
    by_relevance, by_recency = exponents.relevance, exponents.recency
    share = 1 - RELEVANCE_FLOOR
    weighty: dict[float, float] = {}
    lives: dict[str | None, float] = {}

    def scored(entry: Entry, passages: Sequence[Fused]) -> tuple[Parts, list[Matched]]:
        importance = entry.importance
        if importance not in weighty:
            weighty[importance] = _lifted(importance, IMPORTANCE_FLOOR) ** exponents.importance
        life = lives.get(entry.kind)
        if life is None:
            life = lives[entry.kind] = half_life_days(entry.kind)
        fresh = recency(entry.dated, now, life, pinned=entry.pinned)
        weight = weighty[importance] * _lifted(fresh, RECENCY_FLOOR) ** by_recency
        matched = [
            _matched(
                (
                    number,
                    (
                        RELEVANCE_FLOOR + share * relevance
                        if 0 < relevance < 1
                        else _lifted(relevance, RELEVANCE_FLOOR)
                    )
                    ** by_relevance
                    * weight,
                )
            )
            for number, relevance, _, _, _ in passages
        ]
        _, relevance, keyword, meaning, _ = passages[0]
        return _parts((relevance, importance, fresh, keyword, meaning)), matched

    return scored


# Named tuples made in a third of the time.
_matched: Callable[[tuple[int, float]], Matched] = partial(tuple.__new__, Matched)
_parts: Callable[[tuple[float, float, float, float, float | None]], Parts] = partial(tuple.__new__, Parts)


def order(scored: float, path: str) -> tuple[float, str]:
    """The key to sort by: best first, equal ones by path."""
    return (-scored, path)


def _lifted(part: float, floor: float) -> float:
    """Bring 0–1 into floor–1, so that more is still more at the bottom."""
    if part >= 1:
        return 1.0
    return floor + (1 - floor) * part if part > 0 else floor
