"""Search: ranked memories, without a budget."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace
from heapq import nlargest
from operator import attrgetter
from zoneinfo import ZoneInfo

from vault_memory.errors import UsageError
from vault_memory.model.ask import Ask
from vault_memory.model.hit import Dropped, Hit, Reason, SearchResult
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.ops.answered import question, version
from vault_memory.ops.doubt import warnings
from vault_memory.ops.filtered import told_of_filter
from vault_memory.ops.fresh import answer_fresh
from vault_memory.ops.rank import POOL, Ranking, rank
from vault_memory.ports import Ports


def search(
    ports: Ports,
    scope: Scope,
    ask: Ask,
    *,
    limit: int,
    zone: ZoneInfo,
    notices: tuple[str, ...] = (),
) -> SearchResult:
    """The `limit` best memories for the query."""
    if limit < 1:
        raise UsageError(f"{limit} can't be a number of results", hint="give 1 or more")
    now = ports.clock.now()
    asked = question("search", scope, ask, limit, notices, now)
    as_of: Hashable = None

    def answer(without: Collection[VaultPath]) -> SearchResult:
        nonlocal as_of
        with ports.index.reading():
            kept = None if without else asked.answer(ports)
            if isinstance(kept, SearchResult):
                as_of = None
                return kept
            as_of = version(ports)
            ranking = rank(ports, scope, ask, now=now, without=without, pool=max(limit, POOL))
            hits = _with_passages(ports, ranking, limit)
            considered = ports.index.count(scope)
            told = (*notices, *told_of_filter(ports, scope, ask.filter, ranking), *warnings(ports, hits))
        past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in ranking.hits[limit:]]
        dropped, filtered_out = (*ranking.dropped, *past), ranking.filtered_out
        return SearchResult(ask.query, hits, dropped, considered, ranking.mode, told, filtered_out)

    found, left_out = answer_fresh(
        ports, zone, answer, lambda result: [hit.entry.path for hit in result.hits]
    )
    if left_out:
        return replace(found, notices=(*found.notices, left_out))
    if as_of is not None:
        asked.keep(ports, as_of, found)
    return found


def _with_passages(ports: Ports, ranking: Ranking, limit: int) -> tuple[Hit, ...]:
    """The first hits, each with its best passage and those others that are among the `limit` best of all."""
    matched = [(hit, ranking.matched[hit.entry.path]) for hit in ranking.hits[:limit]]
    every = (one for _, passages in matched for one in passages)
    best = {one.number for one in nlargest(limit, every, key=attrgetter("score"))}  # of equals, the first
    matched = [
        (hit, [*passages[:1], *(one for one in passages[1:] if one.number in best)])
        for hit, passages in matched
    ]
    stored = ports.index.passages(one.number for _, passages in matched for one in passages)
    return tuple(
        hit._replace(passages=tuple(stored[one.number] for one in passages if one.number in stored))
        for hit, passages in matched
    )
