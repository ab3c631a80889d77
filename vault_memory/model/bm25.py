"""BM25 over postings: how well the words of a query fit each passage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.model import around
from vault_memory.model.weights import DEFAULT, Weights

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus, Floats, Numbers, Postings
    from vault_memory.model.query import Query

K1 = 1.2
"""How soon more occurrences of one term stop to matter."""
FULL = 0.8
"""The relevance of a passage of mean length that holds every term of the query once."""
COMMON = 0.2
"""A term in more than this share of the passages does not propose any in a large store."""
LARGE_STORE = 10_000
"""Passages past which common terms only score what rarer terms propose."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Passages (ascending), each with the weighted share of the query's terms that it holds: 1 where it
    is of mean length and holds each once. `asked` is how many terms the query has."""

    numbers: Numbers
    shares: Floats
    asked: int


def worth_fetching(df: int, count: int) -> bool:
    """Whether a term that `df` of `count` passages hold may propose passages, or only score them."""
    return count <= LARGE_STORE or df <= COMMON * count


def idf(df: int, count: int) -> float:
    """How much a term tells that `df` of `count` passages hold; never negative."""
    return math.log(1 + (count - df + 0.5) / (df + 0.5))


def score(query: Query, corpus: Corpus, postings: Sequence[Postings], weights: Weights = DEFAULT) -> Shares:
    """How well the words of the query fit the passages that hold one of them, or stand beside one that does.

    A term of the query that no passage holds weighs as the rarest of all, so that one known word
    among five is a weak match; only spare terms are forgiven.
    """
    import numpy as np

    found = {one.term: one for one in postings if len(one.passages)}
    held = [found[term] for term in query.terms if term in found]
    if not held or corpus.count == 0:
        return Shares(np.empty(0, np.int64), np.empty(0, np.float64), len(query.terms))
    unknown = sum(1 for term in query.terms if term not in found and term not in query.spare)
    whole = unknown * idf(0, corpus.count)
    proposers = frozenset(_proposers(held, corpus.count))

    held_back = _held_back(corpus, weights)
    raw = np.zeros(corpus.lengths.size)
    proposed = np.zeros(corpus.lengths.size, np.bool_)
    for one in held:
        weight = idf(len(one.passages), corpus.count)
        whole += weight
        tf = np.zeros(corpus.lengths.size)
        tf[one.passages] = one.own + weights.heading * one.context
        around.spread(corpus, weights, one.passages, one.own.astype(np.float64), tf)
        numbers = np.flatnonzero(tf)
        counted = tf[numbers]
        raw[numbers] += weight * (counted * (K1 + 1) / (counted + held_back[numbers]))
        if one.term in proposers:
            proposed[numbers] = True
    numbers = np.flatnonzero(proposed)
    return Shares(numbers, raw[numbers] / whole, len(query.terms))


def squash(share: Floats) -> Floats:
    """Bring a weighted share of the query's terms (1: each once) into 0–1, in the same order."""
    import numpy as np

    return -np.expm1(share * math.log(1 - FULL))


def _proposers(held: Sequence[Postings], count: int) -> Iterable[str]:
    rare = [one.term for one in held if worth_fetching(len(one.passages), count)]
    return rare or [one.term for one in held]


def _held_back(corpus: Corpus, weights: Weights) -> Floats:
    """By passage number, how many occurrences of a term bring half of what many bring."""

    def measure() -> Floats:
        long = around.lengths(corpus, weights)
        mean = float(long.sum()) / corpus.count or 1.0
        return K1 * (1 - weights.length + weights.length * (long / mean))

    found: Floats = corpus.kept(("held back", weights), measure)
    return found
