"""`vmem doctor`: is everything well?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import CheckFailedError
from vault_memory.model import wire
from vault_memory.render.status import render_checks, render_mended
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

if TYPE_CHECKING:
    from vault_memory.model.health import Mended


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(
    context: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="First mend what needs no person; no note is touched.")
    ] = False,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Check that all is well; exit 1 if something needs you.

    Looks at files and index, what waits for a commit, locks, git and who commits, hooks, the clock, the
    embedder, settings, the folder .vmem/local, the disk, and the machine's limits, and says what to do.

    --fix does what is safe: it puts .vmem/local in order, takes away locks and temporary files of a vmem
    that was killed, commits what waits, and builds the index anew where it is not as the files are.

    [bold]Examples[/bold]

      vmem doctor
      vmem doctor --fix
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    mended: list[Mended] = []
    with call.open() as opened:
        if fix:
            mended = opened.upkeep.mend(call.caller(opened).scope)
        checks = opened.upkeep.doctor(call.caller(opened).scope)
    if call.out.json:
        looked = [wire.check(check) for check in checks]
        call.out.value({"mended": list(map(wire.mended, mended)), "checks": looked} if fix else looked)
    else:
        if fix:
            call.out.result(render_mended(mended, colour=call.out.colour))
        call.out.result(render_checks(checks, colour=call.out.colour))
    wrong = sum(not check.well for check in checks)
    if wrong:
        raise CheckFailedError("doctor", wrong)
