"""`vmem search`: ranked memories with the lines that matched."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.model.filters.choice import Choice
from vault_memory.render.explain import explain_search
from vault_memory.render.hits import render_hits
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    AtOption,
    ExplainOption,
    JsonOption,
    MinScoreOption,
    ProposalsOption,
    ReviewedOption,
    StrategyOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("search")(filtered(search))


def search(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(help='What to look for: any text. "Quoted words" inside of it must stand together.'),
    ],
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, max=1000, help="So many at most.")] = 10,
    strategy: StrategyOption = None,
    min_score: MinScoreOption = 0.0,
    *,
    choice: Choice,
    at: AtOption = None,
    reviewed: ReviewedOption = False,
    proposals: ProposalsOption = False,
    explain: ExplainOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Find memories, best first, with the text that matched.

    They are found by their words, and by meaning where an embedder is set. Filters narrow what may be
    found; all that are given must hold (docs/filters.md).

    [bold]Examples[/bold]

      vmem search "stop loss"
      vmem search "gpt-4o rate limit" -k 3 --explain
      vmem search "stop loss" --tag 'trading and not archived' --since 2w
      vmem search gap --where 'bandgap>1.5 and status in (open, waiting)'
      vmem search 重启 --by akashi --kind decision --json
      vmem search "stop loss" --at 2026-03-01   what would have been found then
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as own, call.looking(own, at=at, reviewed=reviewed, proposals=proposals) as opened:
        found = call.caller(opened).search(
            " ".join(query),
            limit=limit,
            strategy=call.strategy(strategy),
            min_score=min_score,
            **choice,
        )
        zone, now = opened.settings.zone, opened.history.now()
    if call.out.json:
        call.out.value(wire.search(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_hits(found, now=now, zone=zone, width=call.out.width, colour=call.out.colour))
    if explain:
        call.out.result("\n" + explain_search(found))
