"""`vmem stats`: the vault in numbers."""

from __future__ import annotations

import typer

from vault_memory.model import wireviews
from vault_memory.render.overview import render_stats
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    ByOption,
    JsonOption,
    KindOption,
    NamespaceOption,
    PathOption,
    SinceOption,
    TagOption,
    UntilOption,
    VaultOption,
    WhereOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stats")(show_stats)


def show_stats(
    context: typer.Context,
    tag: TagOption = None,
    kind: KindOption = None,
    by: ByOption = None,
    namespace: NamespaceOption = None,
    path: PathOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    where: WhereOption = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show the vault in numbers.

    How many memories there are, where, of which kind, by whom, how important, and from when.

    [bold]Examples[/bold]

      vmem stats
      vmem stats --namespace shared --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        found = opened.overview.stats(
            call.caller(opened).scope,
            namespace=namespace,
            tag=tag,
            kind=kind,
            source_agent=by,
            since=since,
            until=until,
            path=path,
            where=where,
        )
        call.warn_of_index(opened)
        zone = opened.settings.zone
    if not call.out.json:
        call.out.warn_all(found.notices)
    if call.out.json:
        call.out.value(wireviews.stats(found))
        return
    call.out.result(render_stats(found, now=call.now(), zone=zone, colour=call.out.colour))
