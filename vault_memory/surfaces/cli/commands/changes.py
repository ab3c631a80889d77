"""`vmem changes`: what changed since the caller last looked."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.model import wirechanges
from vault_memory.model.changes import LAST
from vault_memory.render.changes import render_changes, render_seen
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    ByOption,
    JsonOption,
    KindOption,
    NamespaceOption,
    TagOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("changes")(changes)


def changes(
    context: typer.Context,
    since: Annotated[
        str,
        typer.Option(
            "--since",
            metavar="TOKEN",
            help="A token of an earlier answer, a commit, a date, or last: since --seen.",
        ),
    ] = LAST,
    seen: Annotated[
        bool, typer.Option("--seen", help="Note that you have seen all of it: the next one counts from here.")
    ] = False,
    others: Annotated[bool, typer.Option("--others", help="Without what only you changed.")] = False,
    namespace: NamespaceOption = None,
    tag: TagOption = None,
    kind: KindOption = None,
    by: ByOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-k", min=1, help="So many at most.", show_default=False)
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show what changed since you last looked, the newest first.

    Whoever changed it: agents, people in their editors, a pull. Memories whose notify names the agent are
    marked. Every answer ends with a token; given to --since, it tells what came after that answer. Without
    one, it counts from where the same caller last said --seen.

    [bold]Examples[/bold]

      vmem --agent akashi changes --seen
      vmem changes --since yesterday --namespace shared/market
      vmem --agent akashi changes --others --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if seen and (namespace or tag or kind or by or limit):
        raise UsageError(
            "--seen notes that all was seen, and this shows a part of it",
            hint="leave --seen out, or the options that choose",
        )
    with call.open() as opened:
        scope = call.caller(opened).scope
        found = opened.overview.changes(
            scope,
            since,
            namespace=namespace,
            tag=tag,
            kind=kind,
            source_agent=by,
            others=others,
            limit=limit,
        )
        if call.out.json:
            call.out.value(wirechanges.changes(found))
        else:
            call.out.warn_all(found.notices)
            last, colour = since == LAST, call.out.colour
            call.out.result(render_changes(found, agent=scope.agent, last=last, colour=colour))
        if seen:  # only once it was said
            opened.overview.seen(scope, found.token)
            if not call.out.json:
                call.out.result(render_seen(scope.agent))
