"""`vmem reindex`: build the search index anew."""

from __future__ import annotations

from dataclasses import replace

import typer

from vault_memory.model import wire
from vault_memory.render.style import counted
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("reindex")(reindex)


def reindex(
    context: typer.Context, vault: VaultOption = None, agent: AgentOption = None, json: JsonOption = False
) -> None:
    """Build the search index anew from the files.

    Rarely needed: every command brings the index up to the files first.

    [bold]Examples[/bold]

      vmem reindex
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        scope = call.caller(opened).scope
        report = opened.index.rebuild()
        if scope.agent is not None:  # the counts are those of what the agent may read
            seen = len(opened.index.entries(scope))
            report = replace(report, files=seen, added=seen, embedded=0)
    readable = tuple(one for one in report.unreadable if scope.may_read(one[0]))
    report = replace(report, unreadable=readable)
    if call.out.json:
        call.out.value(wire.refresh(report))
        return
    for path, reason in report.unreadable:
        call.out.warn(f"{path}: {reason}")
    if report.reason:
        call.out.warn(report.reason)
    embedded = counted(report.embedded, "new passage")
    vectors = f", {embedded} embedded" if report.embedded else ""
    call.out.result(f"Indexed {counted(report.added, 'memory', 'memories')}{vectors}.")
