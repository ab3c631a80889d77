"""The figures of a run as a table for people and as a value for programs."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.evaluate.bench import Report
from vault_memory.evaluate.figures import Figure, as_json

_HEAD = ("", "memories", "least", "median", "p95", "× floor", "bar", "")
_WIDE = 10_000


def report_json(report: Report) -> dict[str, object]:
    """The run as one value: machine, plan, figures."""
    plan = report.plan
    return {
        "machine": report.machine,
        "seed": plan.seed,
        "sizes": list(plan.sizes),
        "rounds": plan.rounds,
        "queries": plan.queries,
        "figures": as_json(report.figures),
    }


def render_report(report: Report, *, width: int, colour: bool) -> str:
    """The machine, one line a figure, and how many bars were kept."""
    machine = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in report.machine.items())
    plan = report.plan
    how = f"seed {plan.seed}, {plan.rounds} rounds, {plan.queries} questions; medians against bars"
    return f"{machine}\n{how}\n\n{_table(report.figures, width, colour=colour)}\n{_summary(report.figures)}"


def _table(figures: Sequence[Figure], width: int, *, colour: bool) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for at, name in enumerate(_HEAD):
        inner = 0 < at < len(_HEAD) - 1
        table.add_column(name, justify="right" if inner else "left", no_wrap=inner, overflow="fold")
    for figure in figures:
        table.add_row(*(Text(cell) for cell in _row(figure)[:-1]), Text(_row(figure)[-1], _style(figure)))
    console = Console(
        width=width if colour else _WIDE,
        force_terminal=colour,
        color_system="standard" if colour else None,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def _row(figure: Figure) -> tuple[str, ...]:
    single = len(figure.samples) == 1
    return (
        figure.what,
        f"{figure.memories:,}",
        "" if single else _amount(min(figure.samples), figure.unit),
        _amount(figure.median, figure.unit),
        "" if single else _amount(figure.p95, figure.unit),
        "" if figure.ratio is None else f"{figure.ratio:.1f}",
        "" if figure.bar is None else f"≤ {figure.bar:,g} {figure.unit}",
        _verdict(figure),
    )


def _verdict(figure: Figure) -> str:
    if figure.missed_by is None:
        return ""
    return f"missed by {_amount(figure.missed_by, figure.unit)}" if figure.missed_by else "ok"


def _style(figure: Figure) -> str:
    return "red" if figure.missed_by else "green"


def _amount(value: float, unit: str) -> str:
    return f"{value:.2f} {unit}" if value < 100 else f"{value:,.0f} {unit}"


def _summary(figures: Sequence[Figure]) -> str:
    held = [figure for figure in figures if figure.missed_by is not None]
    missed = sum(bool(figure.missed_by) for figure in held)
    if not held:
        return "No bar stands for these sizes."
    return f"{len(held) - missed} of {len(held)} bars kept."
