"""Times to live and points in time, as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from vault_memory.errors import ValueFormatError

TTL_FORM = "a time such as 90d, 2w, 12h, 30m, 6mo, 1y, P30D or PT12H, a number of days, or never"
MOMENT_FORM = "a date (2026-03-14) or a time (2026-03-14T10:15:00Z), or seconds since 1970"

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
_MOMENT = re.compile(
    r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})"
    r"(?:(?:[Tt]|[ \t]+)([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"(?:[ \t]*(?:([Zz])|([+-])([0-9]{2})(?::?([0-9]{2}))?))?)?"
)
_EPOCH = re.compile(r"[0-9]{9,14}(?:\.[0-9]{1,9})?")
_EPOCH_MS_DIGITS = 12
"""An epoch with this many digits or more is in milliseconds: in seconds it would lie past 5138."""
_SHORTEST_MONTH = 28
_IN_NAME = re.compile(r"(?<![0-9])([0-9]{4})([-_]?)([0-9]{2})\2([0-9]{2})(?![0-9])")
_NAME_YEARS = range(1900, 2101)
"""Eight digits in a file's name are a date only in these years, and a number otherwise."""


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
        raise ValueFormatError("ttl", text, TTL_FORM)
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


def read_moment(text: str, zone: tzinfo, *, whole_day: bool = False) -> datetime | None:
    """An instant in UTC, or `None` where the text is none.

    Without an offset it is in `zone`. A date alone is that day's first instant, or with
    `whole_day` the first instant after it.
    """
    cleaned = text.strip()
    try:
        found = _MOMENT.fullmatch(cleaned)
        if found:
            return _moment(found, zone, whole_day)
        if _EPOCH.fullmatch(cleaned):
            digits = len(cleaned.partition(".")[0])
            scale = 1000 if digits >= _EPOCH_MS_DIGITS else 1
            return datetime.fromtimestamp(float(cleaned) / scale, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def write_moment(moment: datetime) -> str:
    """An aware time as vmem writes it: UTC, to the second, with `Z`."""
    if moment.tzinfo is None:
        raise ValueFormatError("a time", moment.isoformat(), "a time with its offset from UTC")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def write_moment_like(moment: datetime, text: str, zone: tzinfo) -> str:
    """The time in the very form that `text` has: epoch, date alone, offset; else as vmem writes it."""
    cleaned = text.strip()
    if _EPOCH.fullmatch(cleaned):
        in_ms = len(cleaned.partition(".")[0]) >= _EPOCH_MS_DIGITS
        return str(int(moment.timestamp() * 1000) if in_ms else int(moment.timestamp()))
    found = _MOMENT.fullmatch(cleaned)
    if not found:
        return write_moment(moment)
    local = moment.astimezone(_place(found, zone))
    numbers = (local.year, local.month, local.day, local.hour, local.minute, local.second)
    digits = [f"{number:02d}" for number in numbers] + [f"{local.microsecond:06d}"]
    digits[0] = f"{local.year:04d}"
    shaped = cleaned
    for group in range(len(digits), 0, -1):
        if found[group] is not None:
            start, end = found.span(group)
            shaped = shaped[:start] + digits[group - 1].ljust(end - start, "0")[: end - start] + shaped[end:]
    return shaped


def date_in_name(name: str, zone: tzinfo) -> datetime | None:
    """The first instant of a day that a file's name holds (2026-03-14, 20260314, 2026_03_14)."""
    for found in _IN_NAME.finditer(name):
        try:
            day = date(int(found[1]), int(found[3]), int(found[4]))
        except ValueError:
            continue
        if day.year in _NAME_YEARS:
            return datetime.combine(day, time.min, zone).astimezone(UTC)
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


def _moment(found: re.Match[str], zone: tzinfo, whole_day: bool) -> datetime:
    day = date(int(found[1]), int(found[2]), int(found[3]))
    if found[4] is None:
        if whole_day:
            if day == date.max:
                return datetime.max.replace(tzinfo=UTC)
            day += timedelta(days=1)
        return datetime.combine(day, time.min, zone).astimezone(UTC)
    micro = int((found[7] or "0").ljust(6, "0")[:6])
    at = time(int(found[4]), int(found[5]), int(found[6] or 0), micro)
    return datetime.combine(day, at, _place(found, zone)).astimezone(UTC)


def _place(found: re.Match[str], zone: tzinfo) -> tzinfo:
    """The zone that a written time is in: its own offset, else the vault's."""
    if found[8]:
        return UTC
    if found[9]:
        minutes = int(found[10]) * 60 + int(found[11] or 0)
        return timezone(timedelta(minutes=-minutes if found[9] == "-" else minutes))
    return zone


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
