"""The figures of a run as text for people and as a value for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from vault_memory.evaluate.bar import RATIO
from vault_memory.evaluate.bench import Report
from vault_memory.evaluate.figures import Figure, as_json, grown
from vault_memory.render.style import styled

_WIDE = 100
"""Columns from which on all that is known of a figure is shown."""


def report_json(report: Report) -> dict[str, object]:
    """The run as one value: machine, plan, figures."""
    plan = report.plan
    return {
        "machine": report.machine,
        "loads": list(report.loads),
        "seed": plan.seed,
        "sizes": list(plan.sizes),
        "rounds": plan.rounds,
        "queries": plan.queries,
        "many": plan.many,
        "rest_seconds": plan.rest_seconds,
        "only": list(plan.only),
        "passages": plan.passages,
        "figures": as_json(report.figures),
    }


def render_report(report: Report, *, width: int, colour: bool) -> str:
    """The machine; each figure with a line for each size of vault; and how many bars were kept.

    In a terminal of less than 100 columns (`colour` is for terminals) some columns are left out.
    """
    machine = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in report.machine.items())
    plan = report.plan
    least, most = report.loads
    columns = [one for one in _COLUMNS if one.always or not colour or width >= _WIDE]
    lines = [
        f"{machine}; while it ran, load {least:.1f} to {most:.1f}",
        f"seed {plan.seed}, {plan.rounds} rounds, {plan.queries} questions; medians against bars",
        "",
        *_table(report.figures, columns, colour=colour),
        "",
        *_told(report.figures),
        _summary(report.figures),
    ]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Column:
    """One column: its head, what it says of a figure among all, and whether it is always shown."""

    head: str
    cell: Callable[[Figure, Sequence[Figure]], str]
    always: bool = True


def _growth(figure: Figure, figures: Sequence[Figure]) -> str:
    growing = grown(figure, figures)
    return f"× {growing[0]:.1f}" if growing else ""


def _of_many(value: Callable[[Figure], float]) -> Callable[[Figure, Sequence[Figure]], str]:
    """Of samples: one says nothing that its median does not."""
    return lambda figure, _: _amount(value(figure), figure.unit) if len(figure.samples) > 1 else ""


_COLUMNS = (
    _Column("memories", lambda figure, _: f"{figure.memories:,}"),
    _Column("least", _of_many(lambda figure: min(figure.samples)), always=False),
    _Column("median", lambda figure, _: _amount(figure.median, figure.unit) if figure.samples else ""),
    _Column("p95", _of_many(lambda figure: figure.p95)),
    _Column("grows", _growth),
    _Column(
        "floor",
        lambda figure, _: "" if figure.floor is None else _amount(figure.floor, figure.unit),
        always=False,
    ),
    _Column("× floor", lambda figure, _: "" if figure.ratio is None else f"{figure.ratio:,.1f}"),
    _Column("bar", lambda figure, _: "" if figure.bar is None else figure.bar.text(figure.unit)),
)


def _table(figures: Sequence[Figure], columns: Sequence[_Column], *, colour: bool) -> Iterator[str]:
    """A head, then each figure's name and floor, and below it a line for each vault."""
    cells = {id(figure): [column.cell(figure, figures) for column in columns] for figure in figures}
    widths = [
        max(len(column.head), *(len(row[at]) for row in cells.values())) for at, column in enumerate(columns)
    ]

    def line(row: Sequence[str]) -> str:
        return "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))

    yield styled(line([column.head for column in columns]), "dim", colour=colour)
    for what in dict.fromkeys(figure.what for figure in figures):
        rows = sorted((one for one in figures if one.what == what), key=lambda one: one.memories)
        floor = next((one.floor_is for one in rows if one.floor_is), "")
        yield what + styled(f"   floor: {floor}" if floor else "", "dim", colour=colour)
        for figure in rows:
            verdict = styled(_verdict(figure), _style(figure), colour=colour)
            if figure.missing:
                yield f"{figure.memories:,}".rjust(widths[0]) + f"  {verdict}"
            else:
                yield f"{line(cells[id(figure)])}  {verdict}".rstrip()


def _verdict(figure: Figure) -> str:
    if figure.missing:
        return f"not measured: {figure.missing}"
    if figure.bar is None:
        return ""
    if figure.missed_by is None:
        return "no floor to hold it to"
    if not figure.missed_by:
        return "ok"
    if figure.bar.of == RATIO:
        return f"missed by {figure.missed_by:.1f} × floor"
    return f"missed by {_amount(figure.missed_by, figure.unit)}"


def _style(figure: Figure) -> str:
    return "yellow" if figure.missing else "red" if figure.missed_by else "green"


def _amount(value: float, unit: str) -> str:
    digits = 0 if abs(value) >= 100 else 2 if abs(value) >= 0.1 else 3
    return f"{value:,.{digits}f} {unit}"


def _told(figures: Sequence[Figure]) -> list[str]:
    """What two of the columns say, where they say anything."""
    told = []
    if any(grown(figure, figures) for figure in figures):
        told.append("grows: how many times that of the next smaller vault.")
    if any(figure.floors for figure in figures):
        told.append("floor: the least that its kind can take, measured in the same run.")
    return told


def _summary(figures: Sequence[Figure]) -> str:
    held = [figure for figure in figures if figure.missed_by is not None]
    missed = sum(bool(figure.missed_by) for figure in held)
    unknown = sum(figure.bar is not None and figure.missed_by is None for figure in figures)
    if not held and not unknown:
        return "No bar stands for these sizes."
    told = f"; {unknown} could not be measured" if unknown else ""
    return f"{len(held) - missed} of {len(held)} bars kept{told}."
