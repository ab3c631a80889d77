"""`vmem status`: where the vault stands."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.model.resident import resident
from vault_memory.render.resident import resident_line
from vault_memory.render.status import render_brief, render_status
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(status)


def status(
    context: typer.Context,
    short: Annotated[
        bool, typer.Option("--short", help="One line for a shell prompt; nothing where all is well.")
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show what there is, what is not committed, and what is faulty.

    --short is for a shell prompt: `memory:main ●2 ⇡1 ✗3` says that two memories are not in git as they
    are, one commit is not pushed, and three problems were in files when they were last looked at. It asks
    no network.

    [bold]Examples[/bold]

      vmem status
      vmem status --json
      vmem status --short 2>/dev/null     for a prompt, also outside of a vault
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if short and not call.out.json:
        with call.open() as opened:
            brief = opened.upkeep.brief(call.caller(opened).scope)
        call.out.result(render_brief(brief, colour=call.out.colour))
        return
    from vault_memory.surfaces.resident.asking import resident_of

    with call.open() as opened:
        found = opened.upkeep.status(call.caller(opened).scope)
        keeper = resident_of(opened.root)
    if call.out.json:
        call.out.value({**wire.status(found), "resident": resident(keeper)})
        return
    call.out.result(render_status(found, resident_line(keeper), colour=call.out.colour))
