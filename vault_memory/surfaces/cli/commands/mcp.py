"""`vmem mcp`: the vault as tools of an agent."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(
    context: typer.Context,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that writes.")] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
) -> None:
    """Serve the vault to an agent, by the Model Context Protocol.

    An agent's program starts this and talks with it through stdin and stdout; nobody types it. It has the
    tools recall, search, show, list, log, remember, edit, forget, link and propose. It asks the vault's
    resident, or keeps the vault open itself, and ends when its stdin is closed. What it has to say besides
    goes to stderr.

    [bold]Examples[/bold]

      vmem mcp --vault ~/memory --agent claude
      vmem mcp --vault ~/memory --agent guest --read-only
    """
    from vault_memory.surfaces.mcp.serving import serve

    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=False)
    name = call.asks().agent
    if call.out.streams.terminal.stdin:
        call.out.warn("this is for an agent's program, which talks JSON with it; Ctrl+C ends it")
    serve(call.vault, name, read_only=read_only)
