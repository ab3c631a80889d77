"""`vmem agents`: who writes to the vault."""

from __future__ import annotations

import typer

from vault_memory.model import wirechanges
from vault_memory.render.changes import render_agents
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("agents")(agents)


def agents(
    context: typer.Context,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """List agents with what each has written.

    Counted are the memories that name an agent as their source. The last write is its last commit, or the
    newest date of its memories. An agent is shown what it may read of the others, and its own proposals.

    [bold]Examples[/bold]

      vmem agents
      vmem --agent akashi agents
      vmem agents --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.agents(call.caller(opened).scope)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wirechanges.agents(found))
        return
    call.out.warn_all(found.notices)
    width, colour = call.out.width, call.out.colour
    call.out.result(render_agents(found, now=call.now(), zone=zone, width=width, colour=colour))
