"""From a query to scored memories: candidates, fusion, access, life time, score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model import bm25, fusion, scoring
from vault_memory.model.advice import advised
from vault_memory.model.ask import Ask
from vault_memory.model.asked import look_at, unnamed, voices_of
from vault_memory.model.forms import together
from vault_memory.model.hit import Dropped, Hit, Matched, Parts, Reason
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.query import Query, parse, phrase_in
from vault_memory.model.terms import cut_words, is_unspaced
from vault_memory.ops.meaning import keyword_only
from vault_memory.ops.rerank import reread
from vault_memory.ops.sieve import Sieve
from vault_memory.ops.superseded import living
from vault_memory.ports import Ports

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus, Numbers
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.vector import Vectors
    from vault_memory.model.weights import Weights

POOL = 64
"""So many readable memories, best by relevance, are scored for importance and recency."""

NEAREST = 100
"""So many passages are asked of the vectors."""

PASSAGES_A_HIT = 50

SUPERSEDED = 0.5
"""What a memory whose place another one has taken scores of what it would; never as much as that one."""
_JUST_LESS = 0.999

LOOK, FEW = 128, 16
"""Candidates that are looked at in one go; so many entries are fetched at a time at least."""


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


class _Found(NamedTuple):
    """A memory with those of its passages that fit, best first."""

    entry: Entry
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
        replaced = living(ports, scope, [entry.path for entry, _ in found], now)
    scored = scoring.scorer(now, ask.strategy)
    hits: list[Hit] = []
    matched: dict[VaultPath, list[Matched]] = {}
    weighed: list[tuple[Entry, Parts]] = []
    for entry, fitting in found:
        parts, matched[entry.path] = scored(entry, fitting)
        weighed.append((entry, parts))
    for old, new in replaced.items():
        matched[old] = _behind(matched[old], matched.get(new))
    for entry, parts in weighed:
        score = matched[entry.path][0].score
        if score < ask.min_score:
            dropped.append(Dropped(entry, score, parts, Reason.LOW_SCORE))
        else:
            hits.append(_hit((entry, score, parts, (), replaced.get(entry.path))))
    hits.sort(key=lambda hit: scoring.order(hit.score, hit.entry.path))
    filtered_out = 0 if found or dropped else len(sieve.held_back)
    mode = f"{mode}, {reading}" if reading else mode
    return Ranking(query, tuple(hits), matched, tuple(dropped), mode, filtered_out, len(sieve.undated))


_hit: Callable[[tuple[Entry, float, Parts, tuple[()], VaultPath | None]], Hit] = partial(tuple.__new__, Hit)
"""`Hit`, made in a third of the time: of dozens of memories there is one for each answer."""


def _behind(old: list[Matched], new: list[Matched] | None) -> list[Matched]:
    """The passages of a superseded memory as they count, behind those of the one in its place."""
    times = SUPERSEDED
    if new and old[0].score > 0:
        times = min(times, _JUST_LESS * new[0].score / old[0].score)
    return [one._replace(score=one.score * times) for one in old]


def _candidates(ports: Ports, query: Query, sieve: Sieve, weights: Weights) -> tuple[fusion.Fusion, str]:
    index, embedder = ports.index, ports.embedder
    corpus = index.corpus(sieve.scope)
    postings = together([corpus.within(one) for one in index.postings(query.terms)], query.same)
    words = bm25.score(query, corpus, postings, weights)
    voices = corpus.kept("spoken of", lambda: voices_of(tuple(corpus.voice_names().items())))
    asked = look_at(query.text, voices)
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

    among = corpus.readable
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
    found: list[_Found] = []
    passages_of: dict[int, list[fusion.Fused]] = {}
    dropped: dict[int, Dropped] = {}
    timed, now = sieve.filter.timed, sieve.now
    phrases = _Phrases(ports, query) if query.phrases else None
    for candidates in fused.portions(LOOK):
        portion = candidates if phrases is None else phrases.held_by(candidates)
        ahead = list(dict.fromkeys([one.memory for one in portion if one.memory not in passages_of]))
        ahead.reverse()
        entries: dict[int, Entry | None] = {}
        for one in portion:
            memory = one.memory
            known = passages_of.get(memory)
            if known is not None:
                if len(known) < PASSAGES_A_HIT:
                    known.append(one)
                continue
            is_full = len(found) == pool
            if is_full and not timed:
                continue
            if memory not in entries:
                # As many as there is room for: of those behind them none may be needed.
                some = ahead[-max(pool - len(found), FEW) :]
                del ahead[-len(some) :]
                entries.update(zip(some, map(ports.index.memories(some).get, some), strict=True))
            entry = entries[memory]
            if entry is None or not (sieve.lets_all or sieve.catches(entry)) or is_full:
                continue
            if entry.expires is not None and entry.expires <= now:
                dropped.setdefault(memory, Dropped(entry, one.relevance, None, Reason.EXPIRED))
            else:
                passages_of[memory] = passages = [one]
                found.append(_Found(entry, passages))
        if len(found) >= pool and not timed:
            break
    return found, list(dropped.values())


def _reread(ports: Ports, query: Query, found: list[_Found]) -> tuple[list[_Found], str | None]:
    """The same with the relevances that a reranker leaves them, and a word on it for the mode."""
    if ports.reranker.id == "none":
        return found, None
    best = [(entry, passages[0].number, passages[0].relevance) for entry, passages in found]
    factors, reading = reread(ports, query.text, best)
    return [
        _Found(entry, [_times(each, factor) for each in passages])
        for (entry, passages), factor in zip(found, factors, strict=True)
    ], reading


def _times(fused: fusion.Fused, factor: float) -> fusion.Fused:
    return fused._replace(relevance=fused.relevance * factor)


class _Phrases:
    """The quoted phrases of a query. A text is read only where it holds all of their words."""

    def __init__(self, ports: Ports, query: Query) -> None:
        import numpy as np

        self._index = ports.index
        self._phrases = query.phrases
        # One character of a script without spaces may stand inside a longer run, and is no term there.
        words = {word for phrase in query.phrases for word in phrase if not is_unspaced(word)}
        self._may_hold: Numbers | None = None
        for one in self._index.postings(sorted(words)):
            holding = one.passages[one.own > 0]
            if self._may_hold is not None:
                holding = np.intersect1d(self._may_hold, holding, assume_unique=True)
            self._may_hold = holding

    def held_by(self, portion: Sequence[fusion.Fused]) -> list[fusion.Fused]:
        """Those whose passage holds every phrase."""
        import numpy as np

        asked = list(portion)
        if self._may_hold is not None:
            inside = np.isin([one.number for one in asked], self._may_hold)
            asked = [one for one, may_hold in zip(asked, inside.tolist(), strict=True) if may_hold]
        stored = self._index.passages([one.number for one in asked])
        return [one for one in asked if self._holds(stored.get(one.number))]

    def _holds(self, stored: StoredPassage | None) -> bool:
        if stored is None:
            return False
        words = cut_words(stored.passage.text)
        return all(phrase_in(phrase, words) for phrase in self._phrases)
