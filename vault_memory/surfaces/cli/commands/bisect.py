"""`vmem bisect`: the commit after which a question stopped finding its memory."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wirebisected
from vault_memory.render.bisected import render_bisected
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bisect")(bisect)


def bisect(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(help="The question, as it is asked of vmem recall.")],
    expect: Annotated[
        str,
        typer.Option(
            "--expect",
            metavar="REF",
            help="The memory that it found once: a path, an id, a title; also a removed one.",
            autocompletion=refs,
        ),
    ],
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            "-t",
            help="The budget to ask with. Default: the setting recall_tokens.",
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Find the commit after which a question stopped finding its memory.

    The question is asked of one commit after the other, of the branch that is checked out, each as of its
    own time: further and further back until the memory comes back, then in halves. A memory counts as found
    where more than its title comes back. Nothing is checked out, and nothing is changed.

    [bold]Examples[/bold]

      vmem bisect "how large may a position be" --expect "Position sizing"
      vmem bisect "stop loss" --expect notes/stop.md --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        scope = call.caller(opened).scope
        found = opened.history.bisect(scope, " ".join(query), expect=expect, max_tokens=max_tokens)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wirebisected.bisected(found))
        return
    call.out.result(render_bisected(found, zone=zone))
