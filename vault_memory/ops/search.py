"""Search: ranked memories, without a budget."""

from __future__ import annotations

from vault_memory.model.hit import Dropped, Hit, Reason, SearchResult, Strategy
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.ops.rank import rank
from vault_memory.ports import Ports


def search(
    ports: Ports,
    scope: Scope,
    query: str,
    *,
    limit: int,
    strategy: Strategy,
    min_score: float = 0.0,
    under: Namespace | None = None,
    notices: tuple[str, ...] = (),
) -> SearchResult:
    """The `limit` best memories for the query."""
    with ports.index.reading():
        ranking = rank(
            ports,
            scope,
            query,
            strategy=strategy,
            now=ports.clock.now(),
            min_score=min_score,
            under=under,
            pool=max(limit, 100),
        )
        considered = ports.index.count(scope)
    hits: tuple[Hit, ...] = ranking.hits[:limit]
    past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in ranking.hits[limit:]]
    return SearchResult(query, hits, (*ranking.dropped, *past), considered, ranking.mode, notices)
