"""`vmem list`: all memories that the caller may read."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.render.table import render_entries
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, NamespaceOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_memories)


def list_memories(
    context: typer.Context,
    namespace: NamespaceOption = None,
    tag: Annotated[
        str | None, typer.Option("--tag", help="Only with this tag (exact, any case).", show_default=False)
    ] = None,
    expired: Annotated[bool, typer.Option("--expired", help="Expired ones too.")] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """List memories in path order.

    [bold]Examples[/bold]

      vmem list
      vmem list --namespace shared/market --tag nvda
      vmem --agent akashi list --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        entries = call.caller(opened).list(namespace=namespace, tag=tag, expired=expired)
        call.warn_of_index(opened)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value([wire.entry(entry) for entry in entries])
        return
    call.out.result(
        render_entries(entries, now=call.now(), zone=zone, width=call.out.width, colour=call.out.colour)
    )
