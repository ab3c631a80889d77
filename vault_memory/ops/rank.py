"""From a query to scored memories: candidates, fusion, access, life time, score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError, UsageError
from vault_memory.model import bm25, fusion, scoring
from vault_memory.model.hit import Dropped, Hit, Parts, Reason, Strategy
from vault_memory.model.kinds import half_life_days
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace, Scope, VaultPath
from vault_memory.model.query import Query, parse, phrase_in
from vault_memory.model.terms import cut_words
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

    The hits come without their passages, since few of them are shown: `matched` has the numbers of
    each memory's passages that matched, best first.
    """

    query: Query
    hits: tuple[Hit, ...]
    matched: Mapping[VaultPath, Sequence[int]]
    dropped: tuple[Dropped, ...]
    mode: str


@dataclass(slots=True)
class _Found:
    entry: Entry
    best: fusion.Fused
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
    without: Collection[VaultPath] = (),
    pool: int = POOL,
) -> Ranking:
    """Rank what `scope` may read but for the paths `without`, all from one generation of the index.

    Raises `UsageError` for a query without a single character to look for, and for a `min_score`
    that no score can be.
    """
    query = parse(text)
    if not text.strip():
        raise UsageError("the query is empty", hint="give some words to look for; vmem list shows all")
    if not 0.0 <= min_score <= 1.0:  # nor is NaN a score
        raise UsageError(f"{min_score:g} can't be a score", hint="min-score takes a number from 0 to 1")

    def allowed(path: VaultPath) -> bool:
        return scope.may_read(path) and _is_under(path, under) and path not in without

    with ports.index.reading():
        fused, mode = _candidates(ports, query, allowed)
        found, dropped = _living(ports, query, fused, now, allowed, pool)
    hits: list[Hit] = []
    for one in found:
        parts = _parts(one, now)
        score = scoring.score(parts, strategy)
        if score < min_score:
            dropped.append(Dropped(one.entry, score, parts, Reason.LOW_SCORE))
        else:
            hits.append(Hit(one.entry, score, parts, ()))
    hits.sort(key=lambda hit: scoring.order(hit.score, hit.entry.path))
    matched = {one.entry.path: one.numbers for one in found}
    return Ranking(query, tuple(hits), matched, tuple(dropped), mode)


def _candidates(
    ports: Ports, query: Query, allowed: Callable[[VaultPath], bool]
) -> tuple[Sequence[fusion.Fused], str]:
    corpus = ports.index.corpus()
    postings = ports.index.postings(query.terms)
    ranked = bm25.score(query, corpus, postings)
    nearest: list[tuple[int, float]] = []
    mode = "keyword"
    if ports.embedder.reason is not None:
        mode = f"keyword only: {ports.embedder.reason}"
    else:
        try:
            nearest = _nearest(ports, ports.embedder.query(query.text), allowed)
            mode = "keyword + meaning"
        except (EmbedderUnavailableError, MissingExtraError) as error:
            mode = f"keyword only: {error.message}"
    return fusion.fuse(ranked, nearest, ports.embedder.span), mode


def _nearest(ports: Ports, query: Vectors, allowed: Callable[[VaultPath], bool]) -> list[tuple[int, float]]:
    """The nearest passages of allowed memories: what others wrote takes no place from them."""
    limit = NEAREST
    while True:
        near = ports.index.nearest(query, limit)
        entries = ports.index.entries_of([number for number, _ in near])
        kept = [one for one in near if one[0] in entries and allowed(entries[one[0]].path)]
        if len(kept) >= NEAREST or len(near) < limit:
            return kept[:NEAREST]
        limit *= 4


def _living(
    ports: Ports,
    query: Query,
    fused: Sequence[fusion.Fused],
    now: datetime,
    allowed: Callable[[VaultPath], bool],
    pool: int,
) -> tuple[list[_Found], list[Dropped]]:
    """The memories of the candidates, best relevance first, that are allowed and that live.

    Candidates are looked at in portions until the pool is full, so the cost does not grow with
    what matches.
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
                if len(known.numbers) < PASSAGES_A_HIT:
                    known.numbers.append(one.number)
                continue
            if len(found) == pool or not allowed(entry.path):
                continue
            reason = _left_out(entry, now)
            if reason is not None:
                dropped.setdefault(entry.path, Dropped(entry, one.relevance, None, reason))
            else:
                found[entry.path] = _Found(entry, one, [one.number])
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
    return scoring.parts(one.best, one.entry.importance, recency)
