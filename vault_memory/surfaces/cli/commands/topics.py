"""`vmem topics`: what the memories are about."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wireviews
from vault_memory.model.filters.choice import Choice
from vault_memory.render.overview import render_topics
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("topics")(filtered(list_topics))


def list_topics(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, max=1000, help="So many at most.")] = 12,
    *,
    choice: Choice,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show what the memories are about.

    A topic is a tag, or a word or two of titles, that memories share. Those are shown that between
    them name the most memories, each with some titles.

    [bold]Examples[/bold]

      vmem topics
      vmem topics --limit 5 --since 30d
      vmem topics --by akashi --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.topics(
            call.caller(opened).scope,
            limit=limit,
            **choice,
        )
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wireviews.topics(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_topics(found, now=call.now(), zone=zone, colour=call.out.colour))
