"""`vmem status`: where the vault stands."""

from __future__ import annotations

import typer

from vault_memory.model import wire
from vault_memory.render.status import render_status
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(status)


def status(
    context: typer.Context,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show how many memories there are, and what is not committed.

    [bold]Examples[/bold]

      vmem status
      vmem status --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.upkeep.status(call.caller(opened).scope)
    if call.out.json:
        call.out.value(wire.status(found))
        return
    call.out.result(render_status(found, colour=call.out.colour))
