"""From a query to scored memories: candidates, fusion, access, life time, score."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model import bm25, fusion, scoring
from vault_memory.model.ask import Ask
from vault_memory.model.hit import Dropped, Hit, Matched, Parts, Reason, Strategy
from vault_memory.model.kinds import half_life_days
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.query import Query, parse, phrase_in
from vault_memory.model.terms import cut_words
from vault_memory.ops.sieve import Sieve
from vault_memory.ports import Ports

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

POOL = 100
"""So many readable memories, best by relevance, are scored for importance and recency."""

NEAREST = 300
"""So many passages are asked of the vectors."""

PASSAGES_A_HIT = 12

LOOK = 256
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
        fused, mode = _candidates(ports, query, sieve)
        found, dropped = _living(ports, query, fused, sieve, pool)
    hits: list[Hit] = []
    for one in found:
        parts = _parts(one, now)
        score = scoring.score(parts, ask.strategy)
        if score < ask.min_score:
            dropped.append(Dropped(one.entry, score, parts, Reason.LOW_SCORE))
        else:
            hits.append(Hit(one.entry, score, parts, ()))
    hits.sort(key=lambda hit: scoring.order(hit.score, hit.entry.path))
    matched = {one.entry.path: _matched(one, now, ask.strategy) for one in found}
    filtered_out = 0 if found or dropped else len(sieve.held_back)
    return Ranking(query, tuple(hits), matched, tuple(dropped), mode, filtered_out, len(sieve.undated))


def _candidates(ports: Ports, query: Query, sieve: Sieve) -> tuple[Sequence[fusion.Fused], str]:
    corpus = ports.index.corpus(sieve.scope)
    postings = [corpus.within(one) for one in ports.index.postings(query.terms)]
    ranked = bm25.score(query, corpus, postings)
    nearest: list[tuple[int, float]] = []
    mode = "keyword"
    if ports.embedder.reason is not None:
        mode = f"keyword only: {ports.embedder.reason}"
    else:
        try:
            nearest = _nearest(ports, ports.embedder.query(query.text), sieve)
            mode = "keyword + meaning"
        except (EmbedderUnavailableError, MissingExtraError) as error:
            mode = f"keyword only: {error.message}"
    return fusion.fuse(ranked, nearest, ports.embedder.span), mode


def _nearest(ports: Ports, query: Vectors, sieve: Sieve) -> list[tuple[int, float]]:
    """The nearest passages of memories that pass: no other takes a place from them."""
    limit = NEAREST
    while True:
        near = ports.index.nearest(query, limit)
        entries = ports.index.entries_of([number for number, _ in near])
        kept = [one for one in near if one[0] in entries and sieve.passes(entries[one[0]])]
        if len(kept) >= NEAREST or len(near) < limit:
            return kept[:NEAREST]
        limit *= 4


def _living(
    ports: Ports,
    query: Query,
    fused: Sequence[fusion.Fused],
    sieve: Sieve,
    pool: int,
) -> tuple[list[_Found], list[Dropped]]:
    """The memories of the candidates, best relevance first, that pass and that live.

    Candidates are looked at in portions until the pool is full, so the cost does not grow with
    what matches; all of them only where those without a date are counted.
    """
    found: dict[VaultPath, _Found] = {}
    dropped: dict[str, Dropped] = {}
    for start in range(0, len(fused), LOOK):
        portion = fused[start : start + LOOK]
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


def _matched(one: _Found, now: datetime, strategy: Strategy) -> list[Matched]:
    parts = _parts(one, now)
    return [
        Matched(passage.number, scoring.score(replace(parts, relevance=passage.relevance), strategy))
        for passage in one.passages
    ]
