"""Recall: the best memories that fit a budget, as text for a prompt."""

from __future__ import annotations

from functools import partial
from zoneinfo import ZoneInfo

from vault_memory.errors import UsageError
from vault_memory.model.budget import compose_recall
from vault_memory.model.hit import Dropped, Hit, Reason, Recall, Strategy
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.model.near import near_duplicates
from vault_memory.model.placing import Candidate
from vault_memory.ops.fresh import rank_fresh
from vault_memory.ops.rank import rank
from vault_memory.ports import Ports

MOST = 60
"""So many memories at most stand in one recall."""


def recall(
    ports: Ports,
    scope: Scope,
    query: str,
    *,
    max_tokens: int,
    strategy: Strategy,
    zone: ZoneInfo,
    min_score: float = 0.0,
    under: Namespace | None = None,
    notices: tuple[str, ...] = (),
) -> Recall:
    """The best memories for the query whose text, frame included, is at most `max_tokens`."""
    if max_tokens < 0:
        raise UsageError(f"a budget of {max_tokens} tokens is less than nothing", hint="give 0 or more")
    now = ports.clock.now()
    look = partial(rank, ports, scope, query, strategy=strategy, now=now, min_score=min_score, under=under)
    ranking, left_out = rank_fresh(ports, zone, look, MOST)
    with ports.index.reading():
        kept, doubles = _without_duplicates(ports, ranking.hits[:MOST])
        considered = ports.index.count(scope)
    past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in ranking.hits[MOST:]]
    return compose_recall(
        query,
        kept,
        budget=max_tokens,
        considered=considered,
        now=now,
        zone=zone,
        count=ports.tokens.count,
        mode=ranking.mode,
        notices=(*notices, left_out) if left_out else notices,
        dropped=(*doubles, *ranking.dropped, *past),
    )


def _without_duplicates(ports: Ports, hits: tuple[Hit, ...]) -> tuple[list[Candidate], list[Dropped]]:
    """The hits with their whole texts, the better-ranked of near-identical ones only."""
    candidates = [Candidate(hit, tuple(ports.index.passages_of(hit.entry.path))) for hit in hits]
    first_of = near_duplicates([candidate.body for candidate in candidates])
    kept = [candidate for at, candidate in enumerate(candidates) if first_of.get(at, at) == at]
    doubles = [
        Dropped(
            hits[at].entry,
            hits[at].score,
            hits[at].parts,
            Reason.DUPLICATE,
            instead_of=hits[first].entry.path,
        )
        for at, first in sorted(first_of.items())
        if first != at
    ]
    return kept, doubles
