"""`vmem revert`: take back older commits in one new one."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.errors import NotCommittedError
from vault_memory.model import wirehistory
from vault_memory.render.reverted import render_reverted
from vault_memory.surfaces.cli.complete import agents, refs
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    NamespaceOption,
    RequireCommitOption,
    SinceOption,
    UntilOption,
    VaultOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("revert")(revert)


def revert(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            help="A commit, or a memory: its last change.",
            metavar="[COMMIT|MEMORY]",
            show_default=False,
            autocompletion=refs,
        ),
    ] = None,
    source_agent: Annotated[
        list[str] | None,
        typer.Option(
            "--source-agent",
            "--by",
            help="All that this agent did; repeated, these agents. With a memory, to it alone.",
            show_default=False,
            autocompletion=agents,
        ),
    ] = None,
    since: SinceOption = None,
    until: UntilOption = None,
    namespace: NamespaceOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would become of each memory.")
    ] = False,
    require_commit: RequireCommitOption = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Take back what a commit or an agent did, in one new commit.

    All that others have done to the same memories since stays: only the lines and keys that the commits
    brought in go, and those that they took out come back. Of a merge, that is all it brought in. Where
    somebody has changed the very same since, theirs stays; so does a new memory that somebody else has
    edited. Each of these is named. vmem undo takes it all back.

    [bold]Examples[/bold]

      vmem revert 3f2a9c1
      vmem revert "NVDA RSI rule" --dry-run
      vmem revert --source-agent akashi --since 2026-11-01
      vmem revert --source-agent akashi --since 7d --namespace market --dry-run
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        done = opened.history.revert(
            call.caller(opened).scope,
            what,
            source_agent=source_agent,
            since=since,
            until=until,
            namespace=namespace,
            dry_run=dry_run,
        )
    if call.out.json:
        call.out.value(wirehistory.reverted(done))
    else:
        call.out.result(render_reverted(done, colour=call.out.colour))
        call.out.warn_all(done.notices)
    if done.reason and require_commit:
        raise NotCommittedError(done.reason)
    if done.reason and not call.out.json:
        call.out.warn(f"written and searchable, but not committed: {done.reason}")
