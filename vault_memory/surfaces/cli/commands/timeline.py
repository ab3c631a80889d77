"""`vmem timeline`: memories by their dates."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wireviews
from vault_memory.model.filters.choice import Choice
from vault_memory.render.overview import render_timeline
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("timeline")(filtered(show_timeline))


def show_timeline(
    context: typer.Context,
    per: Annotated[str, typer.Option("--per", help="Gather them by day, week, month or year.")] = "day",
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, help="So many memories at most.")] = 50,
    *,
    choice: Choice,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show memories by their dates, newest first.

    A memory's date is its updated, else its created, else a date in its file's name.

    [bold]Examples[/bold]

      vmem timeline
      vmem timeline --per month --since 2026-01
      vmem timeline --tag nvda --limit 20 --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.timeline(
            call.caller(opened).scope,
            by=per,
            limit=limit,
            **choice,
        )
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wireviews.timeline(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_timeline(found, zone=zone, colour=call.out.colour))
