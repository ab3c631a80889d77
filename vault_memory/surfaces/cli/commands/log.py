"""`vmem log`: the commits of memories."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wire
from vault_memory.render.table import render_revisions
from vault_memory.surfaces.cli.complete import refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    ByOption,
    JsonOption,
    SinceOption,
    UntilOption,
    VaultOption,
)

SHOWN = 20
"""So many are shown where nothing else is said."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("log")(log)


def log(
    context: typer.Context,
    ref: Annotated[
        str | None,
        typer.Argument(
            help="One memory, also a removed one; without it, all.", show_default=False, autocompletion=refs
        ),
    ] = None,
    by: ByOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, help="So many at most.")] = SHOWN,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show who wrote, changed and removed memories.

    The newest comes first; a commit of several memories lists them. Git has more: these are commits of
    the vault's repository.

    [bold]Examples[/bold]

      vmem log
      vmem log "NVDA RSI rule" --json
      vmem log --by akashi --since 7d
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    more = limit == SHOWN and not call.out.json  # who has named a number knows that there may be more
    with call.open() as opened:
        revisions = opened.history.log(
            call.caller(opened).scope, ref, limit=limit + more, source_agent=by, since=since, until=until
        )
        zone = opened.settings.zone
    more = len(revisions) > limit
    revisions = revisions[:limit]
    if call.out.json:
        call.out.value([wire.revision(revision) for revision in revisions])
        return
    if not revisions and (by or since or until):
        call.out.result("No commit of memories fits.")
        return
    call.out.result(render_revisions(revisions, zone=zone, width=call.out.width, colour=call.out.colour))
    if more:
        call.out.warn(f"these are the newest {limit}; --limit N shows more")
