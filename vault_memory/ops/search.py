"""Search: ranked memories, without a budget."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from zoneinfo import ZoneInfo

from vault_memory.errors import UsageError
from vault_memory.model.hit import Dropped, Hit, Reason, SearchResult, Strategy
from vault_memory.model.namespace import Namespace, Scope, VaultPath
from vault_memory.ops.fresh import answer_fresh
from vault_memory.ops.rank import POOL, Ranking, rank
from vault_memory.ports import Ports


def search(
    ports: Ports,
    scope: Scope,
    query: str,
    *,
    limit: int,
    strategy: Strategy,
    zone: ZoneInfo,
    min_score: float = 0.0,
    under: Namespace | None = None,
    notices: tuple[str, ...] = (),
) -> SearchResult:
    """The `limit` best memories for the query. Raises `UsageError` as `rank` does."""
    if limit < 1:
        raise UsageError(f"{limit} can't be a number of results", hint="give 1 or more")
    now = ports.clock.now()

    def answer(without: Collection[VaultPath]) -> SearchResult:
        with ports.index.reading():
            ranking = rank(
                ports,
                scope,
                query,
                strategy=strategy,
                now=now,
                min_score=min_score,
                under=under,
                without=without,
                pool=max(limit, POOL),
            )
            hits = _with_passages(ports, ranking, limit)
            considered = ports.index.count(scope)
        past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in ranking.hits[limit:]]
        return SearchResult(query, hits, (*ranking.dropped, *past), considered, ranking.mode, notices)

    found, left_out = answer_fresh(
        ports, zone, answer, lambda result: [hit.entry.path for hit in result.hits]
    )
    return replace(found, notices=(*notices, left_out)) if left_out else found


def _with_passages(ports: Ports, ranking: Ranking, limit: int) -> tuple[Hit, ...]:
    """The first hits with the passages that matched."""
    matched = [(hit, ranking.matched[hit.entry.path]) for hit in ranking.hits[:limit]]
    stored = ports.index.passages(number for _, numbers in matched for number in numbers)
    return tuple(
        replace(hit, passages=tuple(stored[number] for number in numbers if number in stored))
        for hit, numbers in matched
    )
