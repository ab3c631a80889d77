"""Search: ranked memories, without a budget."""

from __future__ import annotations

from functools import partial
from zoneinfo import ZoneInfo

from vault_memory.model.hit import Dropped, Hit, Reason, SearchResult, Strategy
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.ops.fresh import rank_fresh
from vault_memory.ops.rank import POOL, rank
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
    """The `limit` best memories for the query."""
    look = partial(
        rank,
        ports,
        scope,
        query,
        strategy=strategy,
        now=ports.clock.now(),
        min_score=min_score,
        under=under,
        pool=max(limit, POOL),
    )
    ranking, left_out = rank_fresh(ports, zone, look, limit)
    considered = ports.index.count(scope)
    hits: tuple[Hit, ...] = ranking.hits[:limit]
    past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in ranking.hits[limit:]]
    told = (*notices, left_out) if left_out else notices
    return SearchResult(query, hits, (*ranking.dropped, *past), considered, ranking.mode, told)
