"""`vmem sync`: exchange the vault with other clones."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption
from vault_memory.surfaces.cli.streams import Unfit


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sync")(sync)


def sync(
    context: typer.Context,
    remote: Annotated[
        str | None,
        typer.Option("--remote", metavar="NAME", help="The remote; by default what the branch follows."),
    ] = None,
    rebase: Annotated[
        bool,
        typer.Option("--rebase/--merge", help="Put your commits on top of theirs, or merge both."),
    ] = False,
    push: Annotated[bool, typer.Option("--push/--no-push", help="Send what is here, too.")] = True,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Exchange memories with other clones: fetch, merge by key, push.

    What waits is committed first. What you have changed and not committed stays as it is, and is not sent.
    Where a memory was changed on both sides in a way that a person has to decide on, nothing is merged: the
    memories are listed, and the exit code is 75. Where the remote is away or says no it is 70, and what is
    here is whole. It never asks for a password, and never pushes by force. Only the person may.

    [bold]Examples[/bold]

      vmem sync
      vmem sync --no-push        only bring here what others have
      vmem sync --rebase         a straight history: yours on top of theirs
    """
    from vault_memory.facets.remote import Way
    from vault_memory.model.wiresync import synced
    from vault_memory.render.sync import render_synced

    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if not call.out.streams.own:
        raise Unfit("it talks to a remote, which may take long")
    with call.open() as opened:
        way = Way.REBASE if rebase else Way.MERGE
        done = opened.remote.sync(call.caller(opened).scope, remote=remote, way=way, push=push)
    if call.out.json:
        call.out.value(synced(done))
    else:
        call.out.result(render_synced(done, colour=call.out.colour))
    if done.error is not None:
        raise done.error
