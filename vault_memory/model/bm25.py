"""BM25 over postings: how well the words of a query fit each passage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vault_memory.model.query import Query

    Numbers: TypeAlias = NDArray[np.int64]
    Weights: TypeAlias = NDArray[np.float64]

K1 = 1.2
"""How soon more occurrences of one term stop to matter."""
B = 0.3
"""How much a long passage is held back: passages are cut to like lengths already."""
CONTEXT = 0.5
"""What a term in the title, a tag or a heading counts beside one in the passage's own text."""
FULL = 0.8
"""The relevance of a passage of mean length that holds every term of the query once."""
COMMON = 0.2
"""A term in more than this share of the passages does not propose any in a large store."""
LARGE_STORE = 10_000
"""Passages past which common terms only score what rarer terms propose."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What BM25 must know of all passages together.

    `lengths[n]` is the count of own terms of passage number `n`, -1 where there is no passage
    `n`; `memories[n]` is a number that passages of one memory share. Both have one more item
    than the highest passage number.
    """

    count: int
    mean_length: float
    lengths: Numbers
    memories: Numbers
    whole: bool = True
    """Whether it holds every passage that has postings."""

    def without(self, hidden: Numbers) -> Corpus:
        """The same as if these memories were not there: nothing of them may count in a score."""
        import numpy as np

        if not hidden.size:
            return self
        out = np.isin(self.memories, hidden)
        lengths, memories = np.where(out, -1, self.lengths), np.where(out, -1, self.memories)
        for array in (lengths, memories):
            array.setflags(write=False)
        held = lengths[lengths >= 0]
        mean = float(held.sum()) / held.size if held.size else 0.0
        return Corpus(int(held.size), mean, lengths, memories, whole=False)

    def within(self, postings: Postings) -> Postings:
        """Those of a term's places that are in this corpus."""
        if self.whole:
            return postings
        inside = self.lengths[postings.passages] >= 0
        return Postings(
            postings.term, postings.passages[inside], postings.own[inside], postings.context[inside]
        )


@dataclass(frozen=True, slots=True)
class Postings:
    """One term: the passages that hold it (ascending), how often in their text and their context.

    `passages`, `own` and `context` have equal length; at least one of own and context is > 0.
    """

    term: str
    passages: Numbers
    own: Numbers
    context: Numbers


@dataclass(frozen=True, slots=True)
class Ranked:
    """Passages with their relevance (0–1), best first, equal ones by number ascending."""

    numbers: Numbers
    relevance: Weights


def worth_fetching(df: int, count: int) -> bool:
    """Whether a term that `df` of `count` passages hold may propose passages, or only score them."""
    return count <= LARGE_STORE or df <= COMMON * count


def idf(df: int, count: int) -> float:
    """How much a term tells that `df` of `count` passages hold; never negative."""
    return math.log(1 + (count - df + 0.5) / (df + 0.5))


def score(
    query: Query,
    corpus: Corpus,
    postings: Sequence[Postings],
    limit: int | None = None,
    *,
    neighbours: float = 0.0,
) -> Ranked:
    """Rank the passages that hold a term of the query; at most the best `limit` of them.

    A term of the query that no passage holds weighs as the rarest of all, so that one known word
    among five is a weak match; only spare terms are forgiven. With `neighbours` a passage also
    counts that share of what stands right before and after it in its memory.
    """
    import numpy as np

    found = {one.term: one for one in postings if len(one.passages)}
    held = [found[term] for term in query.terms if term in found]
    if not held or corpus.count == 0:
        return Ranked(np.empty(0, np.int64), np.empty(0, np.float64))
    unknown = sum(1 for term in query.terms if term not in found and term not in query.spare)
    whole = unknown * idf(0, corpus.count)
    proposers = frozenset(_proposers(held, corpus.count))

    raw = np.zeros(len(corpus.lengths))
    proposed = np.zeros(len(corpus.lengths), np.bool_)
    for one in held:
        weight = idf(len(one.passages), corpus.count)
        whole += weight
        passages, tf = _frequencies(one, corpus, neighbours)
        raw[passages] += weight * _saturation(tf, corpus.lengths[passages], corpus.mean_length)
        if one.term in proposers:
            proposed[passages] = True
    numbers = np.flatnonzero(proposed)
    return _best(numbers, squash(raw[numbers] / whole), limit)


def squash(share: Weights) -> Weights:
    """Bring a weighted share of the query's terms (1: each once) into 0–1, in the same order."""
    import numpy as np

    return -np.expm1(share * math.log(1 - FULL))


def _proposers(held: Sequence[Postings], count: int) -> Iterable[str]:
    rare = [one.term for one in held if worth_fetching(len(one.passages), count)]
    return rare or [one.term for one in held]


def _frequencies(one: Postings, corpus: Corpus, neighbours: float) -> tuple[Numbers, Weights]:
    """The passages a term counts in, each once, and how often it does."""
    import numpy as np

    tf = one.own + CONTEXT * one.context
    if not neighbours:
        return one.passages, tf
    dense = np.zeros(len(corpus.lengths))
    dense[one.passages] = tf
    for step in (-1, 1):
        beside = one.passages + step
        inside = (beside >= 0) & (beside < len(dense))
        beside, here = beside[inside], one.passages[inside]
        same = (corpus.memories[beside] == corpus.memories[here]) & (corpus.lengths[beside] >= 0)
        dense[beside[same]] += neighbours * one.own[inside][same]
    passages = np.flatnonzero(dense)
    return passages, dense[passages]


def _saturation(tf: Weights, lengths: Numbers, mean_length: float) -> Weights:
    """A term's part per passage: 1 for one occurrence at mean length, below `K1 + 1` for many."""
    relative = lengths / (mean_length or 1.0)
    return tf * (K1 + 1) / (tf + K1 * (1 - B + B * relative))


def _best(numbers: Numbers, relevance: Weights, limit: int | None) -> Ranked:
    import numpy as np

    if limit is not None and limit < len(numbers):
        if limit <= 0:
            return Ranked(numbers[:0], relevance[:0])
        edge = np.partition(relevance, len(relevance) - limit)[len(relevance) - limit]
        above = np.flatnonzero(relevance > edge)
        at_edge = np.flatnonzero(relevance == edge)[: limit - len(above)]
        kept = np.concatenate((above, at_edge))
        numbers, relevance = numbers[kept], relevance[kept]
    order = np.lexsort((numbers, -relevance))
    return Ranked(numbers[order], relevance[order])
