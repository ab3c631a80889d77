"""Points in time as people name them in a filter: dates, months, and so long ago."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from vault_memory.errors import ValueFormatError
from vault_memory.model.duration import DAY, Duration, expiry, read_ttl
from vault_memory.model.moments import read_moment

WHEN_FORM = (
    "a date (2026-03-14), a time (2026-03-14T10:15), a month (2026-03), a year, today, yesterday, "
    "or how long ago (7d, 2 weeks, 12h)"
)

_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
_AGO = re.compile(r"(p?t?[0-9].*?)(?:\s+ago)?")
_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in UTC, from `start` up to but without `end`."""

    start: datetime
    end: datetime

    def side(self, moment: datetime) -> int:
        """-1 for a moment before it, 0 for one within, 1 for one behind."""
        return -1 if moment < self.start else int(moment >= self.end)


def read_when(text: str, now: datetime, zone: tzinfo) -> Span | None:
    """The stretch that a text names, `None` where it names none.

    A date, a month and a year are all of it, in `zone`; so is what lies days or longer ago, which is
    the whole day. A time, and hours or minutes ago, are one instant.
    """
    cleaned = " ".join(text.split()).casefold()
    try:
        return _named(cleaned, now, zone) or _moment(text, zone) or _ago(cleaned, now, zone)
    except (ValueError, OverflowError):  # past the ends of the calendar
        return None


def _named(text: str, now: datetime, zone: tzinfo) -> Span | None:
    if text == "now":
        return _instant(now)
    return _day(now.astimezone(zone).date() + timedelta(_DAYS[text]), zone) if text in _DAYS else None


def _moment(text: str, zone: tzinfo) -> Span | None:
    start = read_moment(text, zone)
    end = read_moment(text, zone, whole_day=True)
    if start is None or end is None:
        return None
    return Span(start, end) if end > start else _instant(start)


def _ago(text: str, now: datetime, zone: tzinfo) -> Span | None:
    found = _AGO.fullmatch(text)
    if not found or found[1].isdigit():
        return None
    try:
        length = read_ttl(found[1])
    except ValueFormatError:
        return None
    if length is None:
        return None
    at = expiry(now, Duration(-length.months, -length.seconds), zone)
    if at is None:
        return None
    if length.seconds % DAY:
        return _instant(at)
    return _day(at.astimezone(zone).date(), zone)


def _instant(at: datetime) -> Span:
    return Span(at, at + _INSTANT)


def _day(day: date, zone: tzinfo) -> Span:
    return Span(_midnight(day, zone), _midnight(day + timedelta(1), zone))


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone).astimezone(UTC)
