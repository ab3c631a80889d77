"""From a query to scored memories: candidates, fusion, access, life time, score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError, UsageError
from vault_memory.model import bm25, fusion, scoring
from vault_memory.model.hit import Dropped, Hit, Parts, Reason, Strategy
from vault_memory.model.kinds import half_life_days
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.model.query import Query, parse, phrase_in
from vault_memory.model.terms import cut_words
from vault_memory.ports import Ports

POOL = 100
"""So many readable memories, best by relevance, are scored for importance and recency."""

NEAREST = 300
"""So many passages are asked of the vectors."""

PASSAGES_A_HIT = 12

LOOK = 256
"""Candidates whose entries are fetched at a time."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scored memories, best first; those left out with the reason; and how they were found."""

    query: Query
    hits: tuple[Hit, ...]
    dropped: tuple[Dropped, ...]
    mode: str


@dataclass(slots=True)
class _Found:
    entry: Entry
    relevance: float
    keyword: float
    meaning: float | None
    numbers: list[int]


def rank(
    ports: Ports,
    scope: Scope,
    text: str,
    *,
    strategy: Strategy,
    now: datetime,
    min_score: float = 0.0,
    under: Namespace | None = None,
    pool: int = POOL,
) -> Ranking:
    """Rank what `scope` may read, all from one generation of the index.

    Raises `UsageError` for a query without a single character to look for.
    """
    query = parse(text)
    if not text.strip():
        raise UsageError("the query is empty", hint='vmem search "what to look for"   (vmem list shows all)')
    with ports.index.reading():
        fused, mode = _candidates(ports, query)
        found, dropped = _readable(ports, scope, query, fused, now, under, pool)
        stored = ports.index.passages([number for one in found for number in one.numbers])
    hits: list[Hit] = []
    for one in found:
        parts = _parts(one, now)
        score = scoring.score(parts, strategy)
        if score < min_score:
            dropped.append(Dropped(one.entry, score, parts, Reason.LOW_SCORE))
        else:
            passages = tuple(stored[number] for number in one.numbers if number in stored)
            hits.append(Hit(one.entry, score, parts, passages))
    hits.sort(key=lambda hit: scoring.order(hit.score, hit.entry.path))
    return Ranking(query, tuple(hits), tuple(dropped), mode)


def _candidates(ports: Ports, query: Query) -> tuple[Sequence[fusion.Fused], str]:
    corpus = ports.index.corpus()
    postings = ports.index.postings(query.terms)
    ranked = bm25.score(query, corpus, postings)
    nearest: list[tuple[int, float]] = []
    mode = "keyword"
    if ports.embedder.reason is not None:
        mode = f"keyword only: {ports.embedder.reason}"
    else:
        try:
            nearest = ports.index.nearest(ports.embedder.query(query.text), NEAREST)
            mode = "keyword + meaning"
        except (EmbedderUnavailableError, MissingExtraError) as error:
            mode = f"keyword only: {error.message}"
    return fusion.fuse(ranked, nearest, ports.embedder.span), mode


def _readable(
    ports: Ports,
    scope: Scope,
    query: Query,
    fused: Sequence[fusion.Fused],
    now: datetime,
    under: Namespace | None,
    pool: int,
) -> tuple[list[_Found], list[Dropped]]:
    """The memories of the candidates, best relevance first, that the scope may read and that live.

    Candidates are looked at in portions until the pool is full, so the cost does not grow with
    what matches.
    """
    found: dict[str, _Found] = {}
    dropped: dict[str, Dropped] = {}
    for start in range(0, len(fused), LOOK):
        portion = fused[start : start + LOOK]
        entries = ports.index.entries_of([one.number for one in portion])
        for one in _with_phrases(ports, query, portion):
            entry = entries.get(one.number)
            if entry is None or not scope.may_read(entry.path) or not _is_under(entry.path, under):
                continue
            reason = _left_out(entry, now)
            if reason is not None:
                dropped.setdefault(entry.path, Dropped(entry, one.relevance, None, reason))
            elif entry.path in found:
                if len(found[entry.path].numbers) < PASSAGES_A_HIT:
                    found[entry.path].numbers.append(one.number)
            elif len(found) < pool:
                found[entry.path] = _Found(entry, one.relevance, one.keyword, one.meaning, [one.number])
        if len(found) >= pool:
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


def _is_under(path: str, folder: Namespace | None) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _left_out(entry: Entry, now: datetime) -> Reason | None:
    if entry.expires is not None and entry.expires <= now:
        return Reason.EXPIRED
    return Reason.CONFLICTED if entry.conflicted else None


def _parts(one: _Found, now: datetime) -> Parts:
    recency = scoring.recency(one.entry.dated, now, half_life_days(one.entry.kind), pinned=one.entry.pinned)
    return Parts(one.relevance, one.entry.importance, recency, one.keyword, one.meaning)
