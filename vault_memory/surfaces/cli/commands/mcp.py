"""`vmem mcp`: the vault as tools of an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("mcp")(mcp)


def mcp(
    context: typer.Context,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that writes.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Listen at a port in place of stdin.")] = False,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Of --http, else 8636; 0 takes a free one."),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Of --http, else 127.0.0.1.", show_default=False),
    ] = None,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let --host be an address that other machines can call.")
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help="Where the token of --http lies; made if missing. Else in .vmem/local/mcp-tokens/.",
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
) -> None:
    """Serve the vault to an agent, by the Model Context Protocol.

    An agent's program starts this and talks with it through stdin and stdout; nobody types it. It has the
    tools recall, search, show, list, log, remember, edit, forget, link and propose. It asks the vault's
    resident, or keeps the vault open itself, and ends when its stdin is closed. What it has to say besides
    goes to stderr.

    With --http it listens at a port of this machine until a signal ends it. Whoever bears the agent's token
    is let in, at http://127.0.0.1:8636/mcp; the token is made at the first start, and stderr says where.

    [bold]Examples[/bold]

      vmem mcp --vault ~/memory --agent claude
      vmem mcp --vault ~/memory --agent guest --read-only
      vmem mcp --vault ~/memory --agent claude --http
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=False)
    name = call.asks().agent
    given = {"port": port, "host": host, "remote": allow_remote or None, "token_file": token_file}
    told = {key: value for key, value in given.items() if value is not None}
    if http:
        from vault_memory.surfaces.mcp.listening import Address, serve_http

        return serve_http(call.vault, name, Address(**told), read_only=read_only)  # type: ignore[arg-type]
    if told:
        raise UsageError("--port, --host, --allow-remote and --token-file go with --http", hint="add --http")
    from vault_memory.surfaces.mcp.serving import serve

    if call.out.streams.terminal.stdin:
        call.out.warn("this is for an agent's program, which talks JSON with it; Ctrl+C ends it")
    return serve(call.vault, name, read_only=read_only)
