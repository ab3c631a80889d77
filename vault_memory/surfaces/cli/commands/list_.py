"""`vmem list`: all memories that the caller may read."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.model.filters.choice import Choice
from vault_memory.render.table import render_entries
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    AtOption,
    JsonOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(filtered(list_memories))


def list_memories(
    context: typer.Context,
    *,
    choice: Choice,
    sort: Annotated[
        str, typer.Option("--sort", help="path, title, importance, updated or created.")
    ] = "path",
    limit: Annotated[
        int | None, typer.Option("--limit", "-k", min=1, help="So many at most.", show_default=False)
    ] = None,
    expired: Annotated[bool, typer.Option("--expired", help="Expired ones too.")] = False,
    at: AtOption = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """List memories: all, or those that fit every filter given.

    A line has the id, the importance, the age, the title and the path of a memory. What has expired is
    left out without --expired.

    [bold]Examples[/bold]

      vmem list --sort updated --limit 20
      vmem list --namespace shared/market --tag nvda
      vmem list --tag '(alpha or beta) and not archived'   by tags
      vmem list --where 'bandgap>1.5 and status=open'   any key of front matter
      vmem list --where 'due<=2026-04-01 or not due'   dates as dates
      vmem list --where 'owner in (ann, bo) and title~gap'   ~ is part of
      vmem list --since 7d --until yesterday --by akashi --kind decision
      vmem list --path 'shared/**/2026-*.md'
      vmem list --at yesterday   as it was at the end of that day
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as own, call.looking(own, at=at) as opened:
        entries = call.caller(opened).list(
            sort=sort,
            limit=limit,
            expired=expired,
            **choice,
        )
        zone, now = opened.settings.zone, opened.history.now()
    for notice in entries.notices:
        call.out.warn(notice)
    if call.out.json:
        call.out.value([wire.entry(entry) for entry in entries])
        return
    call.out.result(
        render_entries(
            entries,
            total=entries.total,
            now=now,
            zone=zone,
            width=call.out.width,
            colour=call.out.colour,
        )
    )
