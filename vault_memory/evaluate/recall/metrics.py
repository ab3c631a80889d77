"""How good a list is: recall, reciprocal rank, discounted gain. Pure functions over ranks."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def recall_at(ranked: Sequence[T], wanted: Collection[T], k: int) -> float:
    """The share of what is wanted among the first `k`. At least one thing must be wanted."""
    return len(set(wanted).intersection(ranked[:k])) / len(set(wanted))


def hit_at(ranked: Sequence[T], wanted: Collection[T], k: int) -> float:
    """1 where anything that is wanted is among the first `k`, else 0."""
    return float(not set(wanted).isdisjoint(ranked[:k]))


def reciprocal_rank(ranked: Sequence[T], wanted: Collection[T]) -> float:
    """1 / the place (from 1) of the first that is wanted; 0 where none is."""
    sought = set(wanted)
    return next((1 / place for place, one in enumerate(ranked, start=1) if one in sought), 0.0)


def ndcg_at(ranked: Sequence[T], wanted: Collection[T], k: int) -> float:
    """The gain of the first `k`, discounted by log2(place + 1), as a share of the best possible."""
    sought = set(wanted)
    gain = sum(_discount(place) for place, one in enumerate(ranked[:k], start=1) if one in sought)
    best = sum(_discount(place) for place in range(1, min(k, len(sought)) + 1))
    return gain / best


def share(found: Collection[T], wanted: Collection[T]) -> float:
    """The share of what is wanted that was found."""
    return len(set(wanted).intersection(found)) / len(set(wanted))


def _discount(place: int) -> float:
    return 1 / math.log2(place + 1)
