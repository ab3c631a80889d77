"""`vmem doctor`: is everything well?"""

from __future__ import annotations

import typer

from vault_memory.errors import CheckFailedError
from vault_memory.model import wire
from vault_memory.render.status import render_checks
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(context: typer.Context, vault: VaultOption = None, json: JsonOption = False) -> None:
    """Check that all is well; exit 1 if something needs you.

    Looks at the files, the index, the journal of what waits for a commit, the repository, the clock
    and the embedder, and says what to do.

    [bold]Examples[/bold]

      vmem doctor
    """
    call: Call = context.obj.narrowed(vault=vault, agent=None, json=json)
    with call.open() as opened:
        checks = opened.upkeep.doctor(call.caller(opened).scope)
    if call.out.json:
        call.out.value([wire.check(check) for check in checks])
    else:
        call.out.result(render_checks(checks, colour=call.out.colour))
    wrong = sum(not check.well for check in checks)
    if wrong:
        raise CheckFailedError("doctor", wrong)
