"""`vmem blame`: whose the lines of a memory are."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wirehistory
from vault_memory.render.blame import render_blame
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("blame")(blame)


def blame(
    context: typer.Context,
    ref: Annotated[str, typer.Argument(help="The memory.", show_default=False, autocompletion=refs)],
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show who wrote each line of a memory, when and by what operation.

    Front matter and text, as the file lies there; what is not committed yet is named so. Renames are
    followed.

    [bold]Examples[/bold]

      vmem blame "NVDA RSI rule"
      vmem blame shared/market/nvda-rsi-rule.md --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.history.blame(call.caller(opened).scope, ref)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wirehistory.blame(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_blame(found, zone=zone, colour=call.out.colour))
