"""Counts of days as columns that grow from a line: as wide as the terminal, in eighths or in plain ASCII."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from vault_memory.model.usage import DayUse
from vault_memory.render.style import counted, harmless, styled

ROWS = 4
"""Lines of the highest column."""
MOST_DOORS = 8
_EIGHTHS, _PLAIN = " ▁▂▃▄▅▆▇█", " .:#"
_NARROWEST = 10


def render_plot(days: Sequence[DayUse], *, last: date, width: int, ascii_only: bool, colour: bool) -> str:
    """One picture a door, from the first day with an answer to `last`. Where days are more than columns, each
    column is several of them."""
    if not days:
        return ""
    first = min(days[0].day, last)
    end = max(days[-1].day, last)
    totals: dict[str, int] = {}
    for one in days:
        for door, answers in one.doors.items():
            totals[door] = totals.get(door, 0) + answers
    doors = sorted(totals, key=lambda door: (-totals[door], door))
    known = {one.day: one.doors for one in days}
    every = [known.get(first + timedelta(number), {}) for number in range((end - first).days + 1)]
    pictures = [
        _picture(door, [one.get(door, 0) for one in every], (first, end), width, ascii_only, colour)
        for door in doors[:MOST_DOORS]
    ]
    if len(doors) > MOST_DOORS:
        pictures.append(f"({len(doors) - MOST_DOORS:,} more doors)")
    return "\n\n".join(pictures)


def _picture(
    door: str, counts: Sequence[int], span: tuple[date, date], width: int, ascii_only: bool, colour: bool
) -> str:
    room = max(width - len(f"{sum(counts):,}") - 2, _NARROWEST)
    each = -(-len(counts) // room)
    # From the end, so that the last column is as many days as the others.
    folded = [sum(counts[max(end - each, 0) : end]) for end in range(len(counts), 0, -each)][::-1]
    most = max(folded)
    figure = len(f"{most:,}")
    of = "a day" if each == 1 else f"in {each} days"
    head = f"{harmless(door)}  {counted(sum(counts), 'answer')}, at most {most:,} {of}"
    marks = _PLAIN if ascii_only else _EIGHTHS
    bar, corner, line = ("|", "+", "-") if ascii_only else ("│", "└", "─")
    lines = [styled(head, "bold", colour=colour)]
    for row in range(ROWS - 1, -1, -1):
        label = f"{most:,}" if row == ROWS - 1 else ""
        drawn = "".join(_mark(count, most, row, marks) for count in folded)
        lines.append(f"{label:>{figure}} {bar}{styled(drawn.rstrip(), 'cyan', colour=colour)}".rstrip())
    lines.append(f"{'0':>{figure}} {corner}{line * len(folded)}")
    return "\n".join([*lines, " " * (figure + 2) + _days(*span, len(folded))])


def _mark(count: int, most: int, row: int, marks: str) -> str:
    """What a column shows in one line; a day with an answer is never quite empty."""
    steps = len(marks) - 1
    height = max(round(count / most * ROWS * steps), 1) if count else 0
    return marks[min(max(height - row * steps, 0), steps)]


def _days(first: date, last: date, width: int) -> str:
    """The first day below the first column, and the last one below the last where there is room."""
    begins, ends = f"{first:%m-%d}", f"{last:%m-%d}"
    if first == last:
        return begins
    apart = width - len(begins) - len(ends)
    return f"{begins}{' ' * apart}{ends}" if apart > 0 else f"{begins} to {ends}"
