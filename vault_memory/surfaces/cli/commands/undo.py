"""`vmem undo`: take back the last operation by a new commit."""

from __future__ import annotations

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, RequireCommitOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("undo")(undo)


def undo(
    context: typer.Context,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Take back the last operation, by a new commit.

    That is the last change that vmem made, of one memory or of many, for whoever asked; with --agent,
    that agent's last. Once more takes back the one before. What was changed since is never
    overwritten.

    [bold]Examples[/bold]

      vmem undo
      vmem --agent akashi undo
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        call.wrote(call.caller(opened).undo(), require_commit=require_commit, many=True)
