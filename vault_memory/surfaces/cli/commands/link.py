"""`vmem link`: link one memory to another in its front matter."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, RequireCommitOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("link")(link)


def link(
    context: typer.Context,
    ref: Annotated[str, typer.Argument(help="The memory that gets the link.", autocompletion=refs)],
    to: Annotated[str, typer.Argument(help="The memory that it leads to.")],
    key: Annotated[
        str, typer.Option("--type", help="The front matter key: links, supersedes, or one of your own.")
    ] = "links",
    remove: Annotated[bool, typer.Option("--remove", help="Take the link out.")] = False,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Link a memory to another, in its front matter.

    One line of its file changes: the list of the key gets the other's name, in the list's own style.

    [bold]Examples[/bold]

      vmem link plan market-regime
      vmem link notes/new.md notes/old.md --type supersedes
      vmem link plan market-regime --remove
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        scope = call.caller(opened).scope
        written = opened.files.link(scope, ref, to, key=key, remove=remove)
        call.warn_of_index(opened)
        call.wrote([written], require_commit=require_commit)
