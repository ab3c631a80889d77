"""`vmem show`: one memory as it lies on disk."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, AtOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(
    context: typer.Context,
    ref: Annotated[
        str,
        typer.Argument(
            help="A path, an id or its beginning, a title, an alias, or a name.", autocompletion=refs
        ),
    ],
    at: AtOption = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Print one memory.

    It is printed as its file stands, byte for byte where stdout is no terminal; with --json come its
    fields, its text and its version.

    [bold]Examples[/bold]

      vmem show 01K8ZQ4T
      vmem show shared/market/nvda-rsi-rule.md
      vmem show "NVDA RSI rule" --json     its version is for: vmem edit --if-match
      vmem show "NVDA RSI rule" --at 2026-03-01
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as own, call.looking(own, at=at) as opened:
        shown = call.caller(opened).show(ref)
        call.warn_of_index(opened)
    if call.out.json:
        call.out.value(wire.memory(shown.memory, shown.version))
        return
    call.out.raw(shown.content)
