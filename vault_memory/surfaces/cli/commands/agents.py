"""`vmem agents`: who writes to the vault."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wirechanges, wiredenied
from vault_memory.render.changes import render_agents
from vault_memory.render.denied import render_denied
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

MOST = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("agents")(agents)


def agents(
    context: typer.Context,
    denied: Annotated[
        bool, typer.Option("--denied", help="List what agents were refused, the newest first.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many refusals to list at most.")] = MOST,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """List agents with what each has written.

    Counted are the memories that name an agent as their source. The last write is its last commit, or the
    newest date of its memories. An agent is shown what it may read of the others, and its own proposals.
    With --denied: what agents wanted on this machine and were not given. Only the person sees that.

    [bold]Examples[/bold]

      vmem agents
      vmem --agent akashi agents
      vmem agents --json
      vmem agents --denied
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if denied:
        _tell_denied(call, limit)
        return
    with call.open() as opened:
        found = opened.overview.agents(call.caller(opened).scope)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wirechanges.agents(found))
        return
    call.out.warn_all(found.notices)
    width, colour = call.out.width, call.out.colour
    call.out.result(render_agents(found, now=call.now(), zone=zone, width=width, colour=colour))


def _tell_denied(call: Call, limit: int) -> None:
    with call.open() as opened:
        every = opened.overview.denied(call.caller(opened).scope)
        zone = opened.settings.zone
    found, more = every[:limit], max(len(every) - limit, 0)
    if call.out.json:
        call.out.value(wiredenied.denied(found, more))
        return
    call.out.result(render_denied(found, more, zone, width=call.out.width, colour=call.out.colour))
