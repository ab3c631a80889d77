"""`vmem stats`: the vault in numbers, and how its memories are used."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from vault_memory.config import environ
from vault_memory.errors import UsageError
from vault_memory.model import wireusage, wireviews
from vault_memory.model.filters.choice import Choice
from vault_memory.render.overview import render_stats
from vault_memory.render.plot import render_plot
from vault_memory.render.usage import render_forgotten, render_lately, render_usage
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.filtered import filtered
from vault_memory.surfaces.cli.options import (
    AgentOption,
    JsonOption,
    VaultOption,
)

LATELY = 30
"""Days of which the numbers tell how often memories were given."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("stats")(filtered(show_stats))


def show_stats(
    context: typer.Context,
    uses: Annotated[
        bool, typer.Option("--uses", help="How often memories were given, which most and which never.")
    ] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Draw the answers of each day. With --uses.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-k",
            min=1,
            help="With --uses: so many memories of each. 5 by default.",
            show_default=False,
        ),
    ] = None,
    forget_uses: Annotated[
        bool, typer.Option("--forget-uses", help="Forget all that was noted of answers on this machine.")
    ] = False,
    *,
    choice: Choice,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Show the vault in numbers.

    How many memories there are, where, of which kind, by whom, how important, and from when; and how often
    they were given lately.

    With --uses: how many answers recall and the hooks of agents gave on this machine, how many of them held
    memories, which were given most and which never, and the tokens that this saved. --since and --until say
    which answers, the other options which memories. No question is ever kept. An agent is told of itself.

    [bold]Examples[/bold]

      vmem stats
      vmem stats --namespace shared --json
      vmem stats --uses --since 30d
      vmem stats --plot
      vmem stats --forget-uses
    """  # fmt: skip
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    if forget_uses:
        _forget(call, choice, others=uses or plot or limit is not None)
    elif uses or plot:
        _show_uses(call, choice, limit=5 if limit is None else limit, plot=plot, uses=uses)
    elif limit is not None:
        raise UsageError("--limit goes with --uses", hint="vmem stats --uses --limit 20")
    else:
        _show_stats(call, choice)


def _show_stats(call: Call, choice: Choice) -> None:
    with call.open() as opened:
        scope, zone = call.caller(opened).scope, opened.settings.zone
        found = opened.overview.stats(scope, **choice)
        narrowed = call.out.json or any(choice.values())
        lately = None if narrowed else opened.overview.traces.usage(scope, limit=1, since=f"{LATELY}d")
    if call.out.json:
        call.out.value(wireviews.stats(found))
        return
    call.out.warn_all(found.notices)
    call.out.result(render_stats(found, now=call.now(), zone=zone, colour=call.out.colour))
    if lately is not None and (told := render_lately(lately, LATELY)):
        call.out.result(f"\n{told}")


def _show_uses(call: Call, choice: Choice, *, limit: int, plot: bool, uses: bool) -> None:
    with call.open() as opened:
        found = opened.overview.traces.usage(call.caller(opened).scope, limit=limit, **choice)
        zone = opened.settings.zone
    if call.out.json:
        call.out.value(wireusage.usage(found))
        return
    call.out.warn_all(found.notices)
    now, look = call.now(), _look(call)
    if uses or not found.days:
        call.out.result(render_usage(found, now=now, zone=zone, **look))
    if plot and found.days:
        last = now.astimezone(zone).date()
        drawn = render_plot(found.days, last=last, ascii_only=environ.only_ascii(), **look)
        call.out.result(f"\n{drawn}" if uses else drawn)


def _look(call: Call) -> dict[str, Any]:
    return {"width": call.out.width, "colour": call.out.colour}


def _forget(call: Call, choice: Choice, *, others: bool) -> None:
    if others or any(choice.values()):
        raise UsageError(
            "--forget-uses forgets all that was noted", hint="give it alone: vmem stats --forget-uses"
        )
    with call.open() as opened:
        count = opened.overview.traces.forget(call.caller(opened).scope)
    if call.out.json:
        call.out.value({"forgotten": count})
    else:
        call.out.result(render_forgotten(count))
