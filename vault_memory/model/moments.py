"""Points in time: read in the forms that people write, written in the form that stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from vault_memory.errors import ValueFormatError
from vault_memory.model.dateforms import (
    EPOCH_MS_DIGITS,
    MONTHS,
    NAMED_DAYS,
    WEEKDAYS,
    YEARS,
    NoDateError,
    Reading,
    Unit,
    following,
    pattern_of,
    read_form,
)

MOMENT_FORM = "a date (2026-03-14) or a time (2026-03-14T10:15:00Z), or seconds since 1970"

_IN_NAME = re.compile(r"(?<![0-9])([0-9]{4})([-_.]?)([0-9]{2})\2([0-9]{2})([0-9]{4}(?:[0-9]{2})?)?(?![0-9])")
_YEAR_IN_NAME = re.compile(r"(?<![0-9])(?:19|20|21)[0-9]{2}(?![0-9])")


FIRST, LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
"""A day within what Python's calendar holds, so that any offset may be added."""


def instant(seconds: float) -> datetime:
    """The instant so many seconds after 1970, in UTC: what lies beyond the calendar is its first or last one,
    since git keeps whatever a commit says."""
    try:
        return min(max(datetime.fromtimestamp(seconds, UTC), FIRST), LAST)
    except (ValueError, OverflowError, OSError):
        return FIRST if seconds < 0 else LAST


def instant_said(text: str) -> datetime:
    """The instant that git writes in ISO's form. It writes nothing where it can make nothing of a commit's
    time, which then is the beginning of 1970, and years beyond the calendar."""
    try:
        found = datetime.fromisoformat(text)
        return found if FIRST <= found <= LAST else min(max(found, FIRST), LAST)
    except (ValueError, OverflowError):
        return LAST if re.match(r"[0-9]{5}", text) else FIRST if text.startswith("-") else instant(0)


def read_moment(text: str, zone: tzinfo, *, whole_day: bool = False) -> datetime | None:
    """An instant in UTC, or `None` where the text is none.

    Without an offset it is in `zone`: where clocks go back and it comes twice, the first of the
    two; where they go forward and it never comes, as if they had not. A date alone (a week, a
    month) is its first instant, or with `whole_day` the first instant after it.
    """
    try:
        return parse_moment(text, zone, whole_day=whole_day)
    except NoDateError:
        return None


def parse_moment(text: str, zone: tzinfo, *, whole_day: bool = False) -> datetime:
    """Like `read_moment`, but raises `NoDateError`, which says why the text is none."""
    reading = read_form(text)
    at = reading.at
    try:
        if whole_day:
            at = following(at, reading.unit)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
    return _in_utc(at, reading.offset or zone)


def write_moment(moment: datetime) -> str:
    """An aware time as vmem writes it: UTC, to the second, with `Z`."""
    if moment.tzinfo is None:
        raise ValueFormatError("a time", moment.isoformat(), "a time with its offset from UTC")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def write_moment_like(moment: datetime, text: str, zone: tzinfo) -> str:
    """The time in the very form that `text` has: epoch, date alone, offset; else as vmem writes it.

    Also where that form could not say it: a day that could be read as another one, say.
    """
    try:
        reading = read_form(text)
    except NoDateError:
        return write_moment(moment)
    local = moment.astimezone(reading.offset or zone)
    shaped = reading.found.string
    for start, end, new in sorted(_replacements(reading, local), reverse=True):
        shaped = shaped[:start] + new + shaped[end:]
    return shaped if _says(shaped, moment, zone) else write_moment(moment)


def date_in_name(name: str, zone: tzinfo) -> datetime | None:
    """The first instant of a day that a file's name holds (2026-03-14, 20260314, Mar 14th, 2026)."""
    for day in _days_in(name):
        if day.year in YEARS:
            try:
                return _in_utc(datetime.combine(day, time.min), zone)
            except NoDateError:
                continue
    return None


def _in_utc(at: datetime, place: tzinfo) -> datetime:
    try:
        return at.replace(tzinfo=place).astimezone(UTC)
    except OverflowError as error:
        raise NoDateError("it lies outside the calendar") from error


def _days_in(name: str) -> Iterator[date]:
    for found in _IN_NAME.finditer(name):
        if found[5] and found[2]:
            continue  # 2026-03-141015 is no date with a time behind it
        try:
            yield date(int(found[1]), int(found[3]), int(found[4]))
        except ValueError:
            continue
    if _YEAR_IN_NAME.search(name):
        stem = name.rpartition(".")[0] or name
        for form in NAMED_DAYS:
            for found in pattern_of(form).finditer(stem):
                try:
                    yield read_form(found[0]).at.date()
                except NoDateError:
                    continue


def _replacements(reading: Reading, local: datetime) -> Iterator[tuple[int, int, str]]:
    """Where in the text which part of the time stands, and what it has to be."""
    found = reading.found
    groups = {name: text for name, text in found.groupdict().items() if text is not None}
    iso = local.isocalendar()
    hour = (local.hour - 1) % 12 + 1 if "half" in groups else local.hour
    bare = "th" in groups or any(len(groups[name]) == 1 for name in ("d", "m") if name in groups)
    numbers = {"y": local.year, "week_year": iso.year, "week": iso.week, "nth": iso.weekday}
    new = {name: str(number).zfill(len(groups.get(name, ""))) for name, number in numbers.items()}
    for name, number in (("m", local.month), ("d", local.day)):
        new[name] = str(number) if bare else f"{number:02d}"
    new["same"] = new["d"]
    new["H"] = str(hour) if len(groups.get("H", "")) == 1 else f"{hour:02d}"
    new |= {"M": f"{local.minute:02d}", "S": f"{local.second:02d}"}
    width = len(groups.get("f", ""))
    new["f"] = f"{local.microsecond:06d}".ljust(width, "0")[:width]
    new["name"] = _named_like(groups.get("name", ""), MONTHS[local.month - 1])
    new["weekday"] = _named_like(groups.get("weekday", ""), WEEKDAYS[local.weekday()])
    new["th"] = _ordinal(local.day)
    new["half"] = _cased("pa"[local.hour < 12], groups.get("half", ""))
    new["epoch"] = _epoch_like(groups.get("epoch", ""), local)
    for name in groups.keys() & new.keys():
        yield (*found.span(name), new[name])


def _named_like(stands: str, name: str) -> str:
    """A month or weekday, short where the other was, in its case. `May` is both."""
    short = len(stands) <= 4 and stands.lower() not in ("june", "july") and stands.lower() != "may"
    return _cased(name[:3] if short else name, stands)


def _cased(text: str, like: str) -> str:
    if like.isupper():
        return text.upper()
    return text.lower() if like.islower() else text


def _ordinal(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _epoch_like(stands: str, at: datetime) -> str:
    if len(stands.partition(".")[0]) >= EPOCH_MS_DIGITS:
        return str(int(at.timestamp() * 1000))
    return str(int(at.timestamp()))


def _says(text: str, moment: datetime, zone: tzinfo) -> bool:
    """Whether the text is read as that moment, as exactly as its form can say it."""
    try:
        reading = read_form(text)
        first = parse_moment(text, zone)
        if reading.unit is not Unit.INSTANT:
            return first <= moment < parse_moment(text, zone, whole_day=True)
    except NoDateError:
        return False
    groups = reading.found.groupdict()
    exact = timedelta(seconds=1) if groups.get("S") or groups.get("epoch") else timedelta(minutes=1)
    return first <= moment < first + exact
