"""Times to live, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from vault_memory.errors import ValueFormatError

TTL_FORM = "a time such as 90d, 2w, 12h, 30m, 6mo, 1y, P30D or PT12H, a number of days, or never"

MINUTE, HOUR, DAY = 60, 3600, 86_400

_UNITS = {
    "m": (0, MINUTE), "min": (0, MINUTE), "mins": (0, MINUTE), "minute": (0, MINUTE), "minutes": (0, MINUTE),
    "h": (0, HOUR), "hour": (0, HOUR), "hours": (0, HOUR),
    "d": (0, DAY), "day": (0, DAY), "days": (0, DAY),
    "w": (0, 7 * DAY), "week": (0, 7 * DAY), "weeks": (0, 7 * DAY),
    "mo": (1, 0), "month": (1, 0), "months": (1, 0),
    "y": (12, 0), "year": (12, 0), "years": (12, 0),
}  # fmt: skip
_SHORT = {"minute": "m", "hour": "h", "day": "d", "week": "w", "month": "mo", "year": "y"}
_NEVER = frozenset({"", "never", "~", "null", "none"})
_SIMPLE = re.compile(r"([0-9]{1,9})\s*([a-z]*)")
_ISO = re.compile(
    r"P(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})W)?(?:([0-9]{1,9})D)?"
    r"(?:T(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})S)?)?"
)
_ISO_UNITS = ((12, 0), (1, 0), (0, 7 * DAY), (0, DAY), (0, HOUR), (0, MINUTE), (0, 1))
_SHORTEST_MONTH = 28
_REASONS = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"P?T?0+\s*[a-z]*", "it would end the moment it begins; vmem forget removes a memory"),
        (r"[-\u2212].*", "it is negative"),
        (r"[0-9]+[.,][0-9]+\s*[a-z]*", "take a whole number of a smaller unit"),
        (r"(?:[0-9]+\s*[a-z]+[\s,]*){2,}", "one number with one unit, or P1DT12H"),
        (r"[0-9]{1,2}(?::[0-9]{2}){1,2}", "write hours and minutes as PT1H30M"),
        (r"[0-9]{4}[-/.][0-9].*|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}.*",
         "that is a point in time; expires: 2026-05-19 says when a memory ends"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Duration:
    """A time to live: months of the calendar, then seconds of exactly that length.

    Days have 24 hours and weeks seven such days, whatever clocks do in between; months and years
    are counted in the calendar of the vault's zone.
    """

    months: int
    seconds: int


def read_ttl(text: str) -> Duration | None:
    """A ttl, or `None` for never. Raises `ValueFormatError`."""
    cleaned = text.strip()
    if cleaned.lower() in _NEVER:
        return None
    parts = _ttl_parts(cleaned)
    if parts is None or not any(parts):
        reason = next((why for pattern, why in _REASONS if pattern.fullmatch(cleaned)), "")
        raise ValueFormatError("ttl", text, TTL_FORM, reason=reason)
    return Duration(*parts)


def canonical_ttl(text: str) -> str | None:
    """A ttl as it is written to a file (`90d`), `None` for never. Raises `ValueFormatError`."""
    if read_ttl(text) is None:
        return None
    found = _SIMPLE.fullmatch(text.strip().lower())
    if not found:
        return text.strip().upper()
    unit = found[2] or "d"
    return f"{int(found[1])}{_SHORT.get(unit.rstrip('s'), 'm' if unit.startswith('min') else unit)}"


def expiry(created: datetime, ttl: Duration, zone: tzinfo) -> datetime | None:
    """The first instant at which a memory is past its ttl; `None` past the end of the calendar."""
    try:
        local = created.astimezone(zone)
        if ttl.months:
            local = _add_months(local, ttl.months)
        return local.astimezone(UTC) + timedelta(seconds=ttl.seconds)
    except (OverflowError, ValueError):
        return None


def _ttl_parts(text: str) -> tuple[int, int] | None:
    found = _SIMPLE.fullmatch(text.lower())
    if found:
        unit = _UNITS.get(found[2] or "d")
        return (int(found[1]) * unit[0], int(found[1]) * unit[1]) if unit else None
    iso = _ISO.fullmatch(text.upper())
    if not iso or text.upper().endswith("T"):
        return None
    months = seconds = 0
    for count, (unit_months, unit_seconds) in zip(iso.groups(), _ISO_UNITS, strict=True):
        months += int(count or 0) * unit_months
        seconds += int(count or 0) * unit_seconds
    return months, seconds


def _add_months(moment: datetime, months: int) -> datetime:
    """The same day and clock time that many months on; the month's last day where it is shorter."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    for day in range(moment.day, _SHORTEST_MONTH - 1, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            if day == _SHORTEST_MONTH:  # not the day is wrong but the year
                raise
    return moment.replace(year=year, month=month + 1)
