"""How long ago something was, in words, by the calendar days of a zone."""

from __future__ import annotations

from datetime import datetime, tzinfo

UNDATED = "undated"

_UNITS = ((365, 1, "year"), (30, 1, "month"), (7, 2, "week"), (1, 2, "day"))
"""Days in the unit, from how many of them on it is used, its name."""


def age_in_words(at: datetime | None, now: datetime, zone: tzinfo) -> str:
    """`today`, `yesterday`, `3 days ago`, `3 weeks ago` …; a future date is `today`."""
    if at is None:
        return UNDATED
    days = (now.astimezone(zone).date() - at.astimezone(zone).date()).days
    if days <= 0:
        return "today"
    for size, least, unit in _UNITS:
        if days >= size * least:
            count = days // size
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "yesterday"
