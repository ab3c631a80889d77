"""`vmem restore`: bring back a memory that was removed."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, RequireCommitOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("restore")(restore)


def restore(
    context: typer.Context,
    ref: Annotated[str, typer.Argument(help="The path, id, beginning of an id, or title it had.")],
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Bring back a removed memory, as it was last.

    It comes back under the path that it had, in a commit of its own.

    [bold]Examples[/bold]

      vmem restore 01K8ZQ4T
      vmem restore shared/market/nvda-rsi-rule.md
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        call.wrote([call.caller(opened).restore(ref)], require_commit=require_commit)
