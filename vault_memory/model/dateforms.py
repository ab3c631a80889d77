"""The forms in which people write dates and times: one row each, in words and as a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum
from functools import cache

from vault_memory.model.normalform import normalized

MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
YEARS = range(1900, 2101)
"""Bare digits are a date only in these years, and a number otherwise."""
EPOCH_MS_DIGITS = 12
"""An epoch with this many digits or more is in milliseconds: in seconds it would lie past 5138."""

_SHORT = 3
"""Letters of a month's or weekday's name that tell it from the others."""
_NOON, _MIDNIGHT_AFTER = 12, 24
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"))

_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?P<weekday>(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)\.?,?\s+)?"
_DAY = r"(?P<d>[0-9]{1,2})(?P<th>st|nd|rd|th)?"
_DD, _MM, _YYYY = r"(?P<d>[0-9]{1,2})", r"(?P<m>[0-9]{1,2})", r"(?P<y>[0-9]{4})"
_BARE_YEAR = r"(?P<y>19[0-9]{2}|20[0-9]{2}|2100)"
_OVER_12 = r"(?P<d>1[3-9]|2[0-9]|3[01])"
_TO_12 = r"(?P<m>0?[1-9]|1[0-2])"
_CLOCK = (
    r"(?P<H>[0-9]{1,2})(?::(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:[.,](?P<f>[0-9]{1,9}))?)?)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
)
_COMPACT_CLOCK = r"(?P<H>[01][0-9]|2[0-3])(?P<M>[0-5][0-9])(?:(?P<S>[0-5][0-9])(?:[.,](?P<f>[0-9]{1,9}))?)?"
_OFFSET = (
    r"(?:\s*(?:(?P<utc>z|utc|gmt)|(?:utc|gmt)?(?P<sign>[+-])(?P<hours>[0-9]{2}|[0-9](?![0-9]))"
    r"(?::?(?P<minutes>[0-9]{2}))?)(?:\s*(?:\([^()]*\)|\[[^\[\]]*\]))?)?"
)
_TIME = rf"(?:(?:t|,?\s+(?:at\s+)?){_CLOCK}{_OFFSET})?"


class Unit(Enum):
    """How long a time of such a form is: a date alone is a day, and lives through it."""

    INSTANT = "instant"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a date. `examples` all mean 14 March 2026 or a time of that day."""

    examples: tuple[str, ...]
    doc: str
    pattern: str


_ISO = Form(
    ("2026-03-14", "2026-03-14T10:15:00Z", "2026-03-14 10:15:30.250 +08:00", "2026-03-14 10:15 PM"),
    "year, month, day; a time may follow, with its offset from UTC",
    rf"{_YYYY}-{_MM}-{_DD}{_TIME}",
)
_EPOCH = Form(
    ("1773483300", "1773483300000"),
    "seconds or milliseconds since 1970, at least nine digits",
    r"(?P<epoch>[0-9]{9,14}(?:\.[0-9]{1,9})?)",
)
_DAY_THEN_MONTH = Form(
    ("14 March 2026", "14-Mar-2026", "Sat, 14 Mar 2026 10:15:00 +0100"),
    "the month in English, in whole or by three letters",
    rf"{_WEEKDAY}{_DAY}\.?(?:\s+of)?[\s-]+{_MONTH},?[\s-]+{_YYYY}{_TIME}",
)
_MONTH_THEN_DAY = Form(
    ("March 14, 2026", "Mar 14th, 2026", "Sat Mar 14 2026 10:15:00 GMT+0100"),
    "the month first",
    rf"{_WEEKDAY}{_MONTH}\s+{_DAY},?\s+{_YYYY}{_TIME}",
)
NAMED_DAYS = (_DAY_THEN_MONTH, _MONTH_THEN_DAY)
"""The forms with a month's name, which file names hold too."""
FORMS = (
    _ISO,
    Form(
        ("2026/03/14", "2026.03.14", "2026_03_14"),
        "the same with other signs between, and a time or none",
        rf"{_YYYY}(?P<between>[/._]){_MM}(?P=between){_DD}{_TIME}",
    ),
    Form(
        ("20260314",),
        "eight digits, and a time or none",
        rf"{_YYYY}(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}}){_TIME}",
    ),
    Form(
        ("20260314T101500Z", "202603141015", "20260314101500"),
        "digits with the time of day, of the years 1900 to 2100",
        rf"{_BARE_YEAR}(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12][0-9]|3[01])t?{_COMPACT_CLOCK}{_OFFSET}",
    ),
    _EPOCH,
    Form(
        ("14.03.2026", "14.3.2026 10:15"),
        "with dots the day comes first",
        rf"{_DD}\.\s?{_MM}\.\s?{_YYYY}{_TIME}",
    ),
    _DAY_THEN_MONTH,
    _MONTH_THEN_DAY,
    Form(
        ("Sat Mar 14 10:15:00 2026", "Sat Mar 14 10:15:00 UTC 2026"),
        "the year last, as clocks of computers print it",
        rf"{_WEEKDAY}{_MONTH}\s+{_DAY}\s+{_CLOCK}{_OFFSET}\s+{_YYYY}",
    ),
    Form(
        ("14/03/2026", "14-03-2026"),
        "the day first, where it is more than 12",
        rf"{_OVER_12}(?P<between>[/-]){_TO_12}(?P=between){_YYYY}{_TIME}",
    ),
    Form(
        ("03/14/2026", "3-14-2026"),
        "the month first, where the day is more than 12, or the same",
        rf"{_TO_12}(?P<between>[/-])(?:{_OVER_12}|(?P<same>(?P=m)))(?P=between){_YYYY}{_TIME}",
    ),
    Form(
        ("2026年3月14日", "2026년 3월 14일"),
        "year, month, day in Chinese, Japanese or Korean",
        rf"{_YYYY}\s*[年년]\s*{_MM}\s*[月월]\s*{_DD}\s*[日号일]{_TIME}",
    ),
    Form(
        ("2026-W11-6", "2026W116"),
        "year, week and day of the week (Monday is 1)",
        r"(?P<week_year>[0-9]{4})-?w(?P<week>[0-9]{2})-?(?P<nth>[1-7])",
    ),
    Form(("2026-W11",), "a whole week", r"(?P<week_year>[0-9]{4})-?w(?P<week>[0-9]{2})"),
    Form(("2026-03", "2026/03"), "a whole month", rf"{_YYYY}[-/](?P<m>[0-9]{{1,2}})"),
    Form(("March 2026", "Mar 2026"), "a whole month", rf"{_MONTH},?\s+{_YYYY}"),
    Form(("2026",), "a whole year, of 1900 to 2100", _BARE_YEAR),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read by one of the forms. `at` has no zone: it is at `offset`, or where the reader is."""

    at: datetime
    offset: timezone | None
    unit: Unit
    found: re.Match[str]


class NoDateError(ValueError):
    """The text is no date; says why where that can be said, else nothing."""


def read_form(text: str) -> Reading:
    """What the text says. Raises `NoDateError` for what no form fits or no calendar holds."""
    cleaned = clean(text)
    for form in FORMS:
        found = pattern_of(form).fullmatch(cleaned)
        if found:
            try:
                return _reading(found)
            except OverflowError as error:
                raise NoDateError("it lies outside the calendar") from error
    for pattern, reason in _REASONS:
        if re.fullmatch(pattern, cleaned, re.IGNORECASE):
            raise NoDateError(reason)
    raise NoDateError


def clean(text: str) -> str:
    """The text without space around it, full-width digits and signs as plain ones."""
    stripped = text.strip()
    if stripped.isascii():
        return stripped
    return normalized("NFKC", stripped).translate(_DASHES)


@cache
def pattern_of(form: Form) -> re.Pattern[str]:
    """The compiled pattern: compiling all takes some ms, and nearly every date is of the first form."""
    return re.compile(form.pattern, re.IGNORECASE | re.ASCII)


def month_number(name: str) -> int:
    """1 to 12 for a month's name, whole or short."""
    return next(n for n, month in enumerate(MONTHS, 1) if month[:_SHORT].lower() == name[:_SHORT].lower())


def following(at: datetime, unit: Unit) -> datetime:
    """The first instant after the day, week, month or year that begins at `at`. Raises `OverflowError`."""
    if unit is Unit.INSTANT:
        return at
    if unit is Unit.DAY:
        return at + timedelta(days=1)
    if unit is Unit.WEEK:
        return at + timedelta(weeks=1)
    years, month = (1, 0) if unit is Unit.YEAR else divmod(at.month, 12)
    if at.year + years > date.max.year:
        raise OverflowError
    return at.replace(year=at.year + years, month=month + 1)


def docs_table() -> str:
    """The forms as a Markdown table."""
    rows = [f"| {', '.join(f'`{one}`' for one in form.examples)} | {form.doc} |" for form in FORMS]
    return "\n".join(["| written | read as |", "| --- | --- |", *rows])


_REASONS = (
    (r"[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4}(?:\D.*)?",
     "day and month can be read either way; write 2026-03-14 or 14 March 2026"),
    (r"[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2}(?:\D.*)?", "a year has four digits"),
    (r".*[0-9]:[0-9]{2}(?::[0-9]{2})?\s*[a-z]{2,5}",
     "names of time zones are read differently in different places; write the offset from UTC, +01:00"),
    (r"[0-9]{1,2}\.?\s+[^\W\d_]+\.?,?\s+[0-9]{4}|[^\W\d_]+\.?\s+[0-9]{1,2},?\s+[0-9]{4}",
     "names of months are read in English"),
    (r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?", "it is a time without a day"),
    (r"-[0-9.]+", "it is a negative number"),
)  # fmt: skip


def _reading(found: re.Match[str]) -> Reading:
    groups = found.groupdict()
    if groups.get("epoch"):
        whole, _, part = groups["epoch"].partition(".")
        if len(whole) >= EPOCH_MS_DIGITS:
            since = timedelta(milliseconds=int(whole), microseconds=int(part[:3].ljust(3, "0")))
        else:
            since = timedelta(seconds=int(whole), microseconds=int(part[:6].ljust(6, "0")))
        at = datetime(1970, 1, 1) + since  # noqa: DTZ001 — its offset is named beside it
        return Reading(at, timezone.utc, Unit.INSTANT, found)  # noqa: UP017 — the type is `timezone`
    day, unit = _day(groups)
    if not groups.get("H"):
        return Reading(datetime.combine(day, time.min), None, unit, found)
    return Reading(_clock(day, groups), _offset(groups), Unit.INSTANT, found)


def _day(groups: dict[str, str | None]) -> tuple[date, Unit]:
    try:
        week = groups.get("week")
        if week:
            nth = groups.get("nth")
            unit = Unit.DAY if nth else Unit.WEEK
            return date.fromisocalendar(int(groups["week_year"] or 0), int(week), int(nth or 1)), unit
        name = groups.get("name")
        month = month_number(name) if name else int(groups.get("m") or 1)
        number = groups.get("d") or groups.get("same")
        unit = Unit.DAY if number else Unit.MONTH if name or groups.get("m") else Unit.YEAR
        return date(int(groups["y"] or 0), month, int(number or 1)), unit
    except ValueError as error:
        raise NoDateError("there is no such day") from error


def _clock(day: date, groups: dict[str, str | None]) -> datetime:
    hour, minute, half = int(groups["H"] or 0), groups.get("M"), groups.get("half")
    if minute is None and half is None:
        raise NoDateError("the minutes are missing")
    if half:
        if not 1 <= hour <= _NOON:
            raise NoDateError("there is no such time of day")
        hour = hour % _NOON + (_NOON if half.lower() == "p" else 0)
    seconds, fraction = int(groups.get("S") or 0), (groups.get("f") or "").ljust(6, "0")[:6]
    if (hour, int(minute or 0), seconds, int(fraction)) == (_MIDNIGHT_AFTER, 0, 0, 0):
        return datetime.combine(day, time.min) + timedelta(days=1)
    try:
        return datetime.combine(day, time(hour, int(minute or 0), seconds, int(fraction)))
    except ValueError as error:
        raise NoDateError("there is no such time of day") from error


def _offset(groups: dict[str, str | None]) -> timezone | None:
    sign = groups.get("sign")
    if not sign:
        return timezone.utc if groups.get("utc") else None  # noqa: UP017 — the type is `timezone`
    minutes = int(groups["hours"] or 0) * 60 + int(groups.get("minutes") or 0)
    try:
        return timezone(timedelta(minutes=-minutes if sign == "-" else minutes))
    except ValueError as error:
        raise NoDateError("there is no such offset from UTC") from error
