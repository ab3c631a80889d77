"""`vmem daemon`: the process in the background that keeps a vault open."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from vault_memory.errors import VmemError
from vault_memory.model.resident import Resident, Silent, resident
from vault_memory.render.resident import render_resident
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption, VaultOption

STOP_SECONDS = 45.0
"""So long a resident may take to end: it finishes its answers and commits."""
_GLANCE = 0.03


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(
        no_args_is_help=True,
        help="The process that keeps a vault open in the background.",
    )
    group.command("start")(start)
    group.command("stop")(stop)
    group.command("status")(status)
    group.command("logs")(logs)
    group.command("run", hidden=True)(run)
    app.add_typer(group, name="daemon")


def start(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """Start the vault's resident, and wait until it answers.

    There is no need to: with the setting resident = auto, the first command that could have used one
    starts it. There is one a vault; where it runs already, nothing is done.

    [bold]Examples[/bold]

      vmem daemon start
      vmem --vault ~/memory daemon start
    """
    from vault_memory.live.alone import located
    from vault_memory.surfaces.resident import starting
    from vault_memory.surfaces.resident.asking import resident_of

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    root = located(call.vault)
    found = resident_of(root)
    known = isinstance(found, Resident)
    now = found if isinstance(found, Resident) else starting.start(root)
    if call.out.json:
        call.out.value(resident(now))
        return
    call.out.result(f"{'It runs already' if known else 'Started'}: process {now.pid} keeps {root} open.")


def stop(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """Stop the vault's resident.

    It finishes its answers and commits what waits. Every command works without it. With the setting
    resident = auto the next one starts it again: vmem config resident off forbids that.

    [bold]Examples[/bold]

      vmem daemon stop
    """
    from vault_memory.live.alone import is_taken, located
    from vault_memory.surfaces.resident.asking import SilentError, ask, resident_of
    from vault_memory.surfaces.resident.starting import silent

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    root = located(call.vault)
    found = resident_of(root)
    if isinstance(found, Silent):
        raise silent(found)
    try:
        answer = ask(root, {"do": "stop"}, STOP_SECONDS) if found is not None else None
    except SilentError as error:
        raise silent(Silent(error.pid)) from error
    until = time.monotonic() + STOP_SECONDS
    while answer is not None and is_taken(root) and not _is_another(resident_of(root), found):
        if time.monotonic() > until:
            raise VmemError("it is still ending", hint="vmem daemon logs says what it is at")
        time.sleep(_GLANCE)
    if call.out.json:
        call.out.value({"stopped": answer is not None})
        return
    call.out.result("Stopped." if answer is not None else "It is not running.")


def _is_another(now: Resident | Silent | None, before: Resident | None) -> bool:
    """Whether a next one has been started meanwhile."""
    return isinstance(now, Resident) and before is not None and now.pid != before.pid


def status(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """Show whether the vault's resident runs, and how it is.

    That is decided by talking to it, and by nothing else.

    [bold]Examples[/bold]

      vmem daemon status
      vmem daemon status --json
    """
    from vault_memory.live.alone import located
    from vault_memory.surfaces.resident.asking import resident_of

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    found = resident_of(located(call.vault))
    if call.out.json:
        call.out.value(resident(found))
        return
    call.out.result(render_resident(found))


def logs(
    context: typer.Context,
    lines: Annotated[int, typer.Option("--lines", "-n", help="So many of the last lines.", min=1)] = 20,
    vault: VaultOption = None,
) -> None:
    """Print the end of the resident's log.

    It says when a resident began and ended, and what went wrong; it holds no memories and no questions.
    Times are in UTC; the number is that of the process.

    [bold]Examples[/bold]

      vmem daemon logs
      vmem daemon logs -n 200
    """
    from vault_memory.live.alone import located
    from vault_memory.surfaces.resident.log import last_lines, log_file

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=False)
    root = located(call.vault)
    found = last_lines(root, lines)
    if not found:
        call.out.warn(f"no resident has run for this vault yet: there is no {log_file(root)}")
    call.out.result("\n".join(found))


def run(context: typer.Context, vault: VaultOption = None) -> None:
    """Be the vault's resident, in the foreground, until it is stopped (Ctrl+C) or not needed any more."""
    from vault_memory.live.alone import located
    from vault_memory.surfaces.cli.elsewhere import carry_out
    from vault_memory.surfaces.resident.residing import reside

    call: Call = context.obj.narrowed(vault=vault, agent=None, json=False)
    root = located(call.vault)
    if not reside(root, carry_out, clock=call.world.clock):
        call.out.warn(f"another process keeps {root} open already: vmem daemon status shows it")
