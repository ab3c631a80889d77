"""`vmem flush`: commit now what waits."""

from __future__ import annotations

import typer

from vault_memory.errors import GitError
from vault_memory.model import wire
from vault_memory.render.flush import render_flushed
from vault_memory.render.style import counted
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("flush")(flush)


def flush(
    context: typer.Context, vault: VaultOption = None, agent: AgentOption = None, json: JsonOption = False
) -> None:
    """Commit now what is saved and waits for its commit.

    A memory waits where git could not take it: during a merge or rebase, after a hook refused it, without
    an identity; or for a moment, where a process gathers commits. The next write commits it too. What
    still waits is named with the reason, and the exit code is 70.

    [bold]Examples[/bold]

      vmem flush
      vmem flush && git push
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        done = opened.upkeep.flush(call.caller(opened).scope)
    if call.out.json:
        call.out.value(wire.flushed(done))
    else:
        call.out.result(render_flushed(done, colour=call.out.colour))
    if done.waiting:
        one = len(done.waiting) == 1
        still = (
            "1 memory still waits"
            if one
            else f"{counted(len(done.waiting), 'memory', 'memories')} still wait"
        )
        raise GitError(
            f"{still} for {'its' if one else 'their'} commit: {done.waiting[0].reason}",
            hint="all of it is saved and searchable; mend that, then run vmem flush again",
        )
