"""`vmem move`: give a memory another folder or name."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.model.outcome import check_committed
from vault_memory.render.links import render_cut_off, render_updated
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, RequireCommitOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("move")(move)


def move(
    context: typer.Context,
    ref: Annotated[
        str,
        typer.Argument(
            help="A path, an id or its beginning, a title, an alias, or a name.", autocompletion=refs
        ),
    ],
    to: Annotated[str, typer.Argument(help="A folder (archive/), a new name, or a path.")],
    update_links: Annotated[
        bool,
        typer.Option(
            "--update-links/--no-update-links",
            help="Whether the links that lead to it are changed, in the same commit.",
        ),
    ] = True,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Move a memory to another folder, or give its file another name.

    Its id and text stay, and git's history follows it. The links that lead to it, and those in it by
    path, are changed in the same commit, so that all lead where they led. A name without / keeps the
    folder; a folder that is there, or is written with / at its end, keeps the name.

    [bold]Examples[/bold]

      vmem move notes/plan.md archive/
      vmem move plan "Plan for 2027" --no-update-links
      vmem --agent akashi move 01K8ZQ4T shared/market/
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        moved = opened.files.move(call.caller(opened).scope, ref, to, update_links=update_links)
        call.warn_of_index(opened)
    if call.out.json:
        call.out.value(wire.moved(moved))
        if require_commit:
            check_committed([moved.written])
        return
    call.wrote([moved.written], require_commit=require_commit)
    call.out.result(render_updated(moved))
    cut_off = render_cut_off(moved, update_links=update_links)
    if cut_off is not None:
        call.out.warn(cut_off)
