"""`vmem tags`: which tags there are, and how many memories carry each."""

from __future__ import annotations

import typer

from vault_memory.model import wireviews
from vault_memory.render.overview import render_tags
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
    app.command("tags")(list_tags)


def list_tags(
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
        call.out.value(wireviews.tags(found))
        return
    call.out.result(
        render_tags(found, now=call.now(), zone=zone, width=call.out.width, colour=call.out.colour)
    )
