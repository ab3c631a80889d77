"""`vmem stats`: the vault in numbers."""

from __future__ import annotations

import typer

from vault_memory.model import wireviews
from vault_memory.model.filters.choice import Choice
from vault_memory.render.overview import render_stats
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stats")(filtered(show_stats))


def show_stats(
    context: typer.Context,
    *,
    choice: Choice,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show the vault in numbers.

    How many memories there are, where, of which kind, by whom, how important, and from when.

    [bold]Examples[/bold]

      vmem stats
      vmem stats --namespace shared --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.stats(
            call.caller(opened).scope,
            **choice,
        )
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wireviews.stats(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_stats(found, now=call.now(), zone=zone, colour=call.out.colour))
