"""Memories in the order of their dates, gathered by day, week, month or year."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from itertools import groupby

from vault_memory.model.memory import Entry
from vault_memory.model.oneof import one_of


class Span(StrEnum):
    """How long one period of a timeline is."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


def parse_span(text: object) -> Span:
    """The span of that name. Raises `UsageError`."""
    return one_of(Span, text, "a timeline has no")


@dataclass(frozen=True, slots=True)
class Period:
    """The memories of one day, week, month or year in the vault's zone, newest first."""

    name: str
    """`2026-11-29`, `2026-W48`, `2026-11` or `2026`: what `--since` and `--until` take, but for weeks."""
    start: date
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Periods, newest first. `total` counts dated memories past the limit too, `undated` all others."""

    periods: tuple[Period, ...]
    total: int
    undated: int
    notices: tuple[str, ...] = ()


def timeline(
    entries: Iterable[Entry], zone: tzinfo, *, by: Span = Span.DAY, limit: int | None = None
) -> Timeline:
    """The newest `limit` memories by `Entry.dated`. Empty periods are left out."""
    known = list(entries)
    dated = [(entry.dated, entry) for entry in known if entry.dated is not None]
    dated.sort(key=lambda one: one[1].path)
    dated.sort(key=lambda one: one[0], reverse=True)
    name = _NAMES[by]
    periods = [
        Period(label, _START[by](members[-1][0].astimezone(zone).date()), tuple(one for _, one in members))
        for label, members in (
            (label, list(group))
            for label, group in groupby(dated[:limit], key=lambda one: name(one[0].astimezone(zone)))
        )
    ]
    return Timeline(tuple(periods), len(dated), len(known) - len(dated))


def _week(moment: datetime) -> str:
    year, week, _ = moment.isocalendar()
    return f"{year:04}-W{week:02}"


_NAMES: dict[Span, Callable[[datetime], str]] = {
    Span.DAY: lambda moment: moment.date().isoformat(),
    Span.WEEK: _week,
    Span.MONTH: lambda moment: moment.date().isoformat()[:7],
    Span.YEAR: lambda moment: moment.date().isoformat()[:4],
}
_START: dict[Span, Callable[[date], date]] = {
    Span.DAY: lambda day: day,
    Span.WEEK: lambda day: date.fromordinal(max(day.toordinal() - day.weekday(), 1)),
    Span.MONTH: lambda day: day.replace(day=1),
    Span.YEAR: lambda day: day.replace(month=1, day=1),
}
