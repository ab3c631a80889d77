"""`vmem diff`: what has changed in memories."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wirediff
from vault_memory.render.diff import render_comparison
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff")(diff)


def diff(
    context: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[REF | OLD [NEW]]",
            help="A memory, or one or two commits.",
            show_default=False,
            autocompletion=refs,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show what has changed in memories.

    Without arguments: what people and agents changed since the last commit. Of one memory: its change
    that is not committed, else that of its last commit. With a commit: what differs between it and the
    files; with two, between them. Changed keys come first, then the text's lines.

    [bold]Examples[/bold]

      vmem diff
      vmem diff "NVDA RSI rule"
      vmem diff HEAD~5
      vmem diff v1.0 main --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.files.diff(call.caller(opened).scope, *(what or ()))
    if call.out.json:
        call.out.value(wirediff.comparison(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_comparison(found, colour=call.out.colour))
