"""`vmem forget`: remove a memory; history keeps it."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    IfMatchOption,
    JsonOption,
    RequireCommitOption,
    VaultOption,
)
from vault_memory.surfaces.cli.proposed import ProposeOption, writing


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("forget")(forget)


def forget(
    context: typer.Context,
    ref: Annotated[
        str,
        typer.Argument(
            help="A path, an id or its beginning, a title, an alias, or a name.", autocompletion=refs
        ),
    ],
    if_match: IfMatchOption = None,
    propose: ProposeOption = None,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Remove a memory; vmem restore brings it back.

    The file goes, in a commit of its own. Git's history keeps it.

    [bold]Examples[/bold]

      vmem forget 01K8ZQ4T
      vmem forget notes/plan.md
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened, writing(call, opened, propose) as (caller, _):
        call.wrote([caller.forget(ref, if_match=if_match)], require_commit=require_commit)
