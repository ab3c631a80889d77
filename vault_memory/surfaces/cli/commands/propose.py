"""`vmem propose`: begin a proposal that a person reviews."""

from __future__ import annotations

from typing import Annotated

import typer

from vault_memory.model import wirereview
from vault_memory.render.review import render_begun
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("propose")(propose)


def propose(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(help="What to call it; without a name, the day's date.", show_default=False),
    ] = None,
    about: Annotated[
        str | None, typer.Option("--about", help="A line for the reviewer.", show_default=False)
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Begin a proposal: memories on a branch that wait for a person.

    What is then written with --propose=NAME is committed on the branch memory/AGENT/NAME, in a worktree of
    its own below .vmem/local/; the vault's files stay as they are. A proposal of that name that is open
    goes on. A person looks at it with vmem review, and merges it or not.

    [bold]Examples[/bold]

      vmem --agent akashi propose nvda-rsi --about "What the last month taught"
      vmem --agent akashi remember "RSI above 70 …" -n market --propose=nvda-rsi
      vmem --agent akashi edit 01K8ZQ4T --importance 0.4 --propose=nvda-rsi
      vmem review akashi/nvda-rsi
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    with call.open() as opened:
        caller = call.caller(opened)
        with caller.propose(name, about) as proposal:
            begun, folder = proposal.begun, str(proposal.vault.root)
    if call.out.json:
        call.out.value(wirereview.begun(begun, folder))
        return
    own = begun.branch.rpartition("/")[2] if caller.scope.agent is not None else begun.branch
    call.out.result(render_begun(begun, own, caller.scope.agent, colour=call.out.colour))
