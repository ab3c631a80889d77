"""Recall: the best memories that fit a budget, as text for a prompt."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

from vault_memory.errors import UsageError
from vault_memory.model.ask import Ask
from vault_memory.model.budget import compose_recall
from vault_memory.model.hit import Dropped, Hit, Reason, Recall
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.placing import Candidate
from vault_memory.model.prompt import Frame
from vault_memory.ops.doubt import without_doubtful
from vault_memory.ops.filtered import told_of_filter
from vault_memory.ops.fresh import answer_fresh
from vault_memory.ops.rank import Ranking, rank
from vault_memory.ports import Ports

MOST = 60
"""So many memories at most stand in one recall."""


def recall(
    ports: Ports,
    scope: Scope,
    ask: Ask,
    *,
    max_tokens: int,
    zone: ZoneInfo,
    notices: tuple[str, ...] = (),
) -> Recall:
    """The best memories for the query whose text, frame included, is at most `max_tokens`."""
    if max_tokens < 0:
        raise UsageError(f"a budget of {max_tokens} tokens is less than nothing", hint="give 0 or more")
    now = ports.clock.now()

    def answer(without: Collection[VaultPath]) -> Recall:
        with ports.index.reading():
            ranking = rank(ports, scope, ask, now=now, without=without)
            hits, doubtful = without_doubtful(ports, ranking.hits)
            past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in hits[MOST:]]
            return compose_recall(
                Frame(ask.query, ports.index.count(scope), now, zone, ranking.filtered_out),
                hits[:MOST],
                partial(_load, ports, ranking),
                budget=max_tokens,
                count=ports.tokens.count,
                mode=ranking.mode,
                notices=(
                    *notices,
                    *told_of_filter(ports, scope, ask.filter, ranking),
                    *(
                        f"{one.entry.path} {one.reason.value} and was left out"
                        for one in doubtful
                        if one.reason is Reason.CONFLICTED
                    ),
                ),
                dropped=(*ranking.dropped, *doubtful, *past),
            )

    found, left_out = answer_fresh(
        ports, zone, answer, lambda result: [hit.entry.path for hit in result.hits]
    )
    return replace(found, notices=(*found.notices, left_out)) if left_out else found


def _load(ports: Ports, ranking: Ranking, hit: Hit) -> Candidate:
    """The hit's memory with all its passages, and which of them matched."""
    passages = tuple(ports.index.passages_of(hit.entry.path))
    stored = {one.number: one for one in passages}
    matched = tuple(stored[one.number] for one in ranking.matched[hit.entry.path] if one.number in stored)
    return Candidate(replace(hit, passages=matched), passages)
