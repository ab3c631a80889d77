"""`vmem tags`: which tags there are, and how many memories carry each."""

from __future__ import annotations

import typer

from vault_memory.model import wireviews
from vault_memory.model.filters.choice import Choice
from vault_memory.render.overview import render_tags
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tags")(filtered(list_tags))


def list_tags(
    context: typer.Context,
    *,
    choice: Choice,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """List tags, the most used first.

    Spellings that count as one tag are shown together. Expired memories are not counted.

    [bold]Examples[/bold]

      vmem tags
      vmem tags --namespace shared/market --since 30d
      vmem tags --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.tags(
            call.caller(opened).scope,
            **choice,
        )
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wireviews.tags(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(
        render_tags(found, now=call.now(), zone=zone, width=call.out.width, colour=call.out.colour)
    )
