"""BM25 over postings: how well the words of a query fit each passage."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.model import around
from vault_memory.model.scratch import give, take
from vault_memory.model.weights import DEFAULT, Weights

if TYPE_CHECKING:
    from vault_memory.model.around import Lent
    from vault_memory.model.corpus import Corpus, Flags, Floats, Numbers, Postings
    from vault_memory.model.query import Query

K1 = 1.2
"""How soon more occurrences of one term stop to matter."""
FULL = 0.8
"""The relevance of a passage of mean length that holds every term of the query once."""
COMMON = 0.2
"""A term in more than this share of the passages does not propose any in a large store."""
LARGE_STORE = 10_000
"""Passages past which common terms only score what rarer terms propose."""
_EARLY = 8
"""What so many terms count is kept until it is added up: of a pasted text it would be too much."""


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

    size = corpus.lengths.size
    long, mean = around.lengths(corpus, weights), around.mean_length(corpus, weights)
    raw, proposed = take("raw", size, np.float64), take("proposed", size, np.bool_)
    early = _propose(corpus, weights, held, proposers, proposed)
    for one in held:  # in the order asked: sums of floats differ with it
        weight = idf(len(one.passages), corpus.count)
        whole += weight
        only = None if one.term in proposers else proposed
        lent = early.pop(one.term) if one.term in early else _lent(corpus, weights, one, only)
        numbers, counted = lent
        # How many occurrences of a term bring half of what many bring.
        half = K1 * (1 - weights.length + weights.length * (long[numbers] / mean))
        raw[numbers] += weight * (counted * (K1 + 1) / (counted + half))
        if only is None:
            proposed[numbers] = True
    numbers = proposed[:size].nonzero()[0]
    shares = raw[numbers] / whole
    raw[numbers] = 0.0
    proposed[numbers] = False
    give("raw", raw)
    give("proposed", proposed)
    return Shares(numbers, shares, len(query.terms))


def squash(share: Floats) -> Floats:
    """Bring a weighted share of the query's terms (1: each once) into 0–1, in the same order."""
    import numpy as np

    return -np.expm1(share * math.log(1 - FULL))


def _proposers(held: Sequence[Postings], count: int) -> Iterable[str]:
    rare = [one.term for one in held if worth_fetching(len(one.passages), count)]
    return rare or [one.term for one in held]


def _propose(
    corpus: Corpus, weights: Weights, held: Sequence[Postings], proposers: Collection[str], proposed: Flags
) -> dict[str, Lent]:
    """Where some terms only score what others propose: note what these do (in `proposed`, by passage
    number), and keep what was reckoned for a few of them."""
    early: dict[str, Lent] = {}
    if len(proposers) == len(held):
        return early
    for one in held:
        if one.term in proposers:
            lent = _lent(corpus, weights, one)
            proposed[lent.numbers] = True
            if len(early) < _EARLY:
                early[one.term] = lent
    return early


def _lent(corpus: Corpus, weights: Weights, of: Postings, only: Flags | None = None) -> Lent:
    """How often the term counts for each passage that holds it or stands beside one that does."""
    import numpy as np

    own = of.own.astype(np.float64)
    return around.spread(corpus, weights, of.passages, own, own + weights.heading * of.context, only)
