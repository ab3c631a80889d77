"""How long ago something was, in words, by the calendar days of a zone."""

from __future__ import annotations

from datetime import datetime, tzinfo
from functools import lru_cache

UNDATED = "undated"

_UNITS = ((365, 1, "year"), (30, 1, "month"), (7, 2, "week"), (1, 2, "day"))
"""Days in the unit, from how many of them on it is used, its name."""


def age_in_words(at: datetime | None, now: datetime, zone: tzinfo) -> str:
    """`today`, `yesterday`, `3 days ago`, `3 weeks ago` …; a future date is `today`."""
    return UNDATED if at is None else age_of_days(day_in(now, zone) - day_in(at, zone))


@lru_cache(8_192)  # of memories that come again and again
def day_in(at: datetime, zone: tzinfo) -> int:
    """The number of the calendar day in the zone."""
    return at.astimezone(zone).toordinal()


@lru_cache(8_192)
def age_of_days(days: int) -> str:
    """`age_in_words` of so many days."""
    if days <= 0:
        return "today"
    for size, least, unit in _UNITS:
        if days >= size * least:
            count = days // size
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "yesterday"
