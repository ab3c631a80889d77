"""`vmem recall`: the best memories that fit a budget."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.model.filters.choice import Choice
from vault_memory.render.explain import explain_recall
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
    app.command("recall")(filtered(recall))


def recall(
    context: typer.Context,
    query: Annotated[
        list[str],
        typer.Argument(help='What to recall: any text. "Quoted words" inside of it must stand together.'),
    ],
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            "-t",
            help="The budget, frame included. Default: the setting recall_tokens.",
            show_default=False,
        ),
    ] = None,
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
    """Print the best memories for a query, within a budget of tokens.

    The text is made for a prompt and fit to be read: a header, then each memory with its title, age,
    agent, id and place. The passages that fit the query best come first, of whatever memory; what is
    left of the budget goes to the rest of the best ones. Filters narrow what may be recalled; all that
    are given must hold.

    [bold]Examples[/bold]

      vmem recall "NVDA risk" --max-tokens 2000
      vmem --agent akashi recall "how do we deploy" --strategy recency
      vmem recall "stop loss" --explain
      vmem recall "open questions" --tag 'research or design' --since 2026-03
      vmem recall "how do we deploy" --at v1.0   what would have been recalled then
      vmem recall "how do we deploy" --reviewed   only what was merged
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as own, call.looking(own, at=at, reviewed=reviewed, proposals=proposals) as opened:
        found = call.caller(opened).recall(
            " ".join(query),
            max_tokens=max_tokens,
            strategy=call.strategy(strategy),
            min_score=min_score,
            **choice,
        )
        wants_meaning = opened.settings["embedder"] != "none"
    if call.out.json:
        call.out.value(wire.recall(found))
        return
    call.out.warn_all(found.notices)
    if wants_meaning and found.mode.startswith("keyword only"):
        call.out.warn(found.mode)
    call.out.result(found.text)
    if explain:
        call.out.result("\n" + explain_recall(found))
