"""From a query to scored memories: candidates, fusion, access, life time, score."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model import bm25, fusion, scoring
from vault_memory.model.advice import advised
from vault_memory.model.ask import Ask
from vault_memory.model.asked import look_at, unnamed
from vault_memory.model.forms import together
from vault_memory.model.hit import Dropped, Hit, Matched, Parts, Reason
from vault_memory.model.kinds import half_life_days
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.query import Query, parse, phrase_in
from vault_memory.model.terms import cut_words
from vault_memory.ops.meaning import keyword_only
from vault_memory.ops.rerank import reread
from vault_memory.ops.sieve import Sieve
from vault_memory.ports import Ports

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus
    from vault_memory.model.vector import Vectors
    from vault_memory.model.weights import Weights

POOL = 64
"""So many readable memories, best by relevance, are scored for importance and recency."""

NEAREST = 100
"""So many passages are asked of the vectors."""

PASSAGES_A_HIT = 50

LOOK = 128
"""Candidates whose entries are fetched at a time."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scored memories, best first; those left out with the reason; and how they were found.

    The hits come without their passages, since few of them are shown: `matched` has each memory's
    passages that matched, best first.
    """

    query: Query
    hits: tuple[Hit, ...]
    matched: Mapping[VaultPath, Sequence[Matched]]
    dropped: tuple[Dropped, ...]
    mode: str
    filtered_out: int = 0
    """Where nothing else is found: how many match the words, but not the filter."""
    undated: int = 0
    """How many match all but the time that the filter asks for, for want of a date."""


@dataclass(slots=True)
class _Found:
    entry: Entry
    best: fusion.Fused
    passages: list[fusion.Fused]


def rank(
    ports: Ports,
    scope: Scope,
    ask: Ask,
    *,
    now: datetime,
    without: Collection[VaultPath] = (),
    pool: int = POOL,
) -> Ranking:
    """Rank what `scope` may read and the filter lets through, but for the paths `without`.

    All is from one generation of the index.
    """
    query = parse(ask.query)
    sieve = Sieve(scope, ask.filter, now, frozenset(without))
    with ports.index.reading():
        fused, mode = _candidates(ports, query, sieve, ask.weights)
        found, dropped = _living(ports, query, fused, sieve, pool)
        found, reading = _reread(ports, query, found)
    hits: list[Hit] = []
    matched: dict[VaultPath, list[Matched]] = {}
    for one in found:
        parts = _parts(one, now)
        weight = scoring.weight(parts.importance, parts.recency, ask.strategy)
        matched[one.entry.path] = [
            Matched(passage.number, scoring.weighed(passage.relevance, weight, ask.strategy))
            for passage in one.passages
        ]
        score = matched[one.entry.path][0].score
        if score < ask.min_score:
            dropped.append(Dropped(one.entry, score, parts, Reason.LOW_SCORE))
        else:
            hits.append(Hit(one.entry, score, parts, ()))
    hits.sort(key=lambda hit: scoring.order(hit.score, hit.entry.path))
    filtered_out = 0 if found or dropped else len(sieve.held_back)
    mode = f"{mode}, {reading}" if reading else mode
    return Ranking(query, tuple(hits), matched, tuple(dropped), mode, filtered_out, len(sieve.undated))


def _candidates(ports: Ports, query: Query, sieve: Sieve, weights: Weights) -> tuple[fusion.Fusion, str]:
    index, embedder = ports.index, ports.embedder
    corpus = index.corpus(sieve.scope)
    postings = together([corpus.within(one) for one in index.postings(query.terms)], query.same)
    words = bm25.score(query, corpus, postings, weights)
    asked = look_at(query.text, corpus.voice_names())
    near, mode = None, "keyword"
    why_not = keyword_only(ports, sieve.scope) if weights.meaning else "rank_meaning is 0"
    if why_not is not None:
        mode = f"keyword only: {why_not}"
    elif query.empty:
        mode = "keyword + meaning"  # a bag of little words is near to everything
    else:
        try:
            vector = embedder.query(unnamed(query.text, asked.named))
            near = _near(ports, vector, corpus, sieve, weights)
            mode = "keyword + meaning"
        except (EmbedderUnavailableError, MissingExtraError) as error:
            mode = f"keyword only: {advised(error)}"
    fused = fusion.fuse(
        words, near, corpus, asked, weights, trust=embedder.trust, span=embedder.span if near else (0.0, 1.0)
    )
    return fused, mode


def _near(ports: Ports, query: Vectors, corpus: Corpus, sieve: Sieve, weights: Weights) -> fusion.Near | None:
    """The nearest passages of memories that pass: no other takes a place from them."""
    import numpy as np

    among = None if corpus.whole else corpus.lengths >= 0
    limit = NEAREST
    while True:
        numbers, cosines = ports.index.nearest(query, limit, weights.spread, among)
        if not sieve.filter and not sieve.without:  # `among` has said it all
            passes = np.ones(numbers.size, np.bool_)
            break
        entries = ports.index.entries_of(numbers.tolist())
        passes = np.array(
            [number in entries and sieve.passes(entries[number]) for number in numbers.tolist()], np.bool_
        )
        if passes.sum() >= NEAREST or len(numbers) < limit:
            break
        limit *= 4
    numbers, cosines = numbers[passes][:NEAREST], cosines[passes][:NEAREST]
    if not numbers.size:
        return None
    order = np.argsort(numbers)
    return fusion.Near(numbers[order], cosines[order], float(cosines[-1]))


def _living(
    ports: Ports,
    query: Query,
    fused: fusion.Fusion,
    sieve: Sieve,
    pool: int,
) -> tuple[list[_Found], list[Dropped]]:
    """The memories of the candidates, best relevance first, that pass and that live.

    Candidates are looked at in portions until the pool is full, so the cost does not grow with
    what matches; all of them only where those without a date are counted.
    """
    found: dict[VaultPath, _Found] = {}
    dropped: dict[str, Dropped] = {}
    for portion in fused.portions(LOOK):
        entries = ports.index.entries_of([one.number for one in portion])
        for one in _with_phrases(ports, query, portion):
            entry = entries.get(one.number)
            if entry is None:
                continue
            known = found.get(entry.path)
            if known is not None:
                if len(known.passages) < PASSAGES_A_HIT:
                    known.passages.append(one)
                continue
            if len(found) == pool and not sieve.filter.timed:
                continue
            if not sieve.catches(entry) or len(found) == pool:
                continue
            if sieve.is_expired(entry):
                dropped.setdefault(entry.path, Dropped(entry, one.relevance, None, Reason.EXPIRED))
            else:
                found[entry.path] = _Found(entry, one, [one])
        if len(found) >= pool and not sieve.filter.timed:
            break
    return list(found.values()), list(dropped.values())


def _reread(ports: Ports, query: Query, found: list[_Found]) -> tuple[list[_Found], str | None]:
    """The same with the relevances that a reranker leaves them, and a word on it for the mode."""
    if ports.reranker.id == "none":
        return found, None
    best = [(one.entry, one.best.number, one.best.relevance) for one in found]
    factors, reading = reread(ports, query.text, best)
    return [
        _Found(one.entry, _times(one.best, factor), [_times(each, factor) for each in one.passages])
        for one, factor in zip(found, factors, strict=True)
    ], reading


def _times(fused: fusion.Fused, factor: float) -> fusion.Fused:
    return fused._replace(relevance=fused.relevance * factor)


def _with_phrases(ports: Ports, query: Query, portion: Sequence[fusion.Fused]) -> Iterator[fusion.Fused]:
    """Those whose passage holds every quoted phrase of the query."""
    if not query.phrases:
        yield from portion
        return
    stored = ports.index.passages([one.number for one in portion])
    for one in portion:
        passage = stored.get(one.number)
        if passage is None:
            continue
        terms = cut_words(passage.passage.text)
        if all(phrase_in(phrase, terms) for phrase in query.phrases):
            yield one


def _parts(one: _Found, now: datetime) -> Parts:
    recency = scoring.recency(one.entry.dated, now, half_life_days(one.entry.kind), pinned=one.entry.pinned)
    return scoring.parts(one.best, one.entry.importance, recency)
