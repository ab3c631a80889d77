"""`vmem bench`: how fast it is here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import JsonOption

SIZES = "100,1000,10000"
QUICK = "100,1000"
MOST = 1_000_000


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench")(bench)


def bench(
    context: typer.Context,
    sizes: Annotated[str, typer.Option("--sizes", help="How many memories the vaults hold.")] = SIZES,
    quick: Annotated[bool, typer.Option("--quick", help=f"The same as --sizes {QUICK}.")] = False,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=10_000, help="Samples of each write, refresh and process.")
    ] = 40,
    queries: Annotated[
        int, typer.Option("--queries", min=1, max=100_000, help="Samples of each search and recall.")
    ] = 200,
    many: Annotated[
        int, typer.Option("--many", min=1, max=100_000, help="So many are remembered in one call.")
    ] = 1_000,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes other memories.")] = 7,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--in",
            help="Make the vaults below this folder, to measure its disk.",
            exists=True,
            file_okay=False,
            show_default=False,
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help="Measure this part alone: plain, live, or one of theirs, as named above.",
            show_default=False,
        ),
    ] = None,
    passages: Annotated[
        int,
        typer.Option(
            "--passages",
            min=0,
            max=10_000_000,
            help="Also an index alone of so many passages, without files (--only passages: only that).",
            show_default=False,
        ),
    ] = 0,
    rest: Annotated[
        float, typer.Option("--rest", min=0.1, max=3600, help="Seconds that a resident is left alone.")
    ] = 5.0,
    vault: Annotated[
        Path | None,
        typer.Option(
            "--vault",
            help="Ask this vault from a new process, not a made-up one.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure how fast it is here, on made-up vaults.

    Writes, reads, refreshes, vectors, whole commands and a new process are measured (`plain`), and the same
    through a resident that keeps the vault open: over its socket, by the command, from an editor's save to
    an answer that knows it (`live`). Vaults and residents are gone at the end. Figures are held against the
    bars of docs/benchmarks.md, and beside each stands the least that its kind can take, measured in the
    same run. Takes minutes, with --quick fewer.

    Parts of plain: once, index, vectors, commands, refresh, read, write, many. Parts of live: socket, mcp,
    agents, saves, checkout, startup, meaning, process, acknowledge. `passages` is the index alone of
    --passages.

    [bold]Examples[/bold]

      vmem bench --quick
      vmem bench --json > today.json
      vmem bench --sizes 10000 --in /mnt/other-disk
      vmem bench --only socket --only saves --sizes 1000,10000
      vmem bench --only live --sizes 100000
      vmem bench --only passages --passages 1000000
    """
    if sys.platform == "win32":
        raise UsageError("bench runs on Linux and macOS: Windows does not say what a process cost")
    from vault_memory.evaluate.bench import ALONE, chosen, measure
    from vault_memory.evaluate.plan import Plan
    from vault_memory.evaluate.report import render_report, report_json

    call: Call = context.obj.narrowed(vault=None, agent=None, json=json)
    parts = chosen(tuple(only or ()))
    if parts == (ALONE,) and not passages:
        raise UsageError("how many passages?", hint="vmem bench --only passages --passages 1000000")
    plan = Plan(
        _sizes(QUICK if quick else sizes), rounds, queries, many, seed, folder, vault, parts, passages, rest,
    )  # fmt: skip
    with call.out.progress() as progress:
        report = measure(plan, progress)
    if call.out.json:
        call.out.value(report_json(report))
    else:
        call.out.result(render_report(report, width=call.out.width, colour=call.out.colour))


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        found = ()
    if not found or not 1 <= found[0] <= found[-1] <= MOST:
        raise UsageError(
            f"{text!r} are no sizes", hint=f"numbers from 1 to {MOST:,} with commas, e.g. --sizes {SIZES}"
        )
    return found
