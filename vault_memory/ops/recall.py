"""Recall: the best memories that fit a budget, as text for a prompt."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace
from zoneinfo import ZoneInfo

from vault_memory.errors import UsageError
from vault_memory.model.ask import Ask
from vault_memory.model.budget import Found, compose_recall
from vault_memory.model.hit import Dropped, Reason, Recall
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.prompt import Frame
from vault_memory.ops.answered import question, version
from vault_memory.ops.doubt import without_doubtful
from vault_memory.ops.filtered import told_of_filter
from vault_memory.ops.fresh import answer_fresh
from vault_memory.ops.rank import POOL, rank
from vault_memory.ports import Ports

MOST = 60
"""So many memories at most are looked at for one recall."""

CROWD, FURTHER = 30, 20
"""Where so many of them only repeat others and there is room: so many times as many are."""


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
    asked = question("recall", scope, ask, max_tokens, notices, now)
    as_of: Hashable = None

    def answer(without: Collection[VaultPath]) -> Recall:
        nonlocal as_of
        with ports.index.reading():
            kept = None if without else asked.answer(ports)
            if isinstance(kept, Recall):
                as_of = None
                return kept
            as_of = version(ports)
            found = of_the_first(1, without)
            repeating = sum(one.reason is Reason.DUPLICATE for one in found.omitted)
            is_crowded = repeating >= CROWD and all(one.reason is not Reason.BUDGET for one in found.omitted)
            return of_the_first(FURTHER, without) if is_crowded else found

    def of_the_first(times: int, without: Collection[VaultPath]) -> Recall:
        ranking = rank(ports, scope, ask, now=now, without=without, pool=times * POOL)
        hits, doubtful = without_doubtful(ports, ranking.hits)
        past = [Dropped(hit.entry, hit.score, hit.parts, Reason.LIMIT) for hit in hits[times * MOST :]]
        return compose_recall(
            Frame(ask.query, ports.index.count(scope), now, zone, ranking.filtered_out),
            Found(hits[: times * MOST], ranking.matched, ports.index),
            budget=max_tokens,
            least=ask.min_score,
            count=ports.tokens.count,
            scale=ports.tokens.scale,
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

    recalled, left_out = answer_fresh(
        ports, zone, answer, lambda result: [item.hit.entry.path for item in result.items]
    )
    if left_out:
        return replace(recalled, notices=(*recalled.notices, left_out))
    if as_of is not None:
        asked.keep(ports, as_of, recalled)
    return recalled
