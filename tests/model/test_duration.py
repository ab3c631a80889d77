"""Times to live and dates mean one thing each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import ValueFormatError
from vault_memory.model.duration import (
    DAY,
    HOUR,
    MINUTE,
    Duration,
    canonical_ttl,
    date_in_name,
    expiry,
    read_moment,
    read_ttl,
    write_moment,
    write_moment_like,
)

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "months", "seconds", "written"),
    [
        ("30d", 0, 30 * DAY, "30d"),
        ("P30D", 0, 30 * DAY, "P30D"),
        ("p1m", 1, 0, "P1M"),
        ("PT12H", 0, 12 * HOUR, "PT12H"),
        ("P1Y2M3W4DT5H6M7S", 14, 25 * DAY + 5 * HOUR + 6 * MINUTE + 7, "P1Y2M3W4DT5H6M7S"),
        ("1w", 0, 7 * DAY, "1w"),
        ("2 Weeks", 0, 14 * DAY, "2w"),
        ("30", 0, 30 * DAY, "30d"),
        ("30 days", 0, 30 * DAY, "30d"),
        ("12h", 0, 12 * HOUR, "12h"),
        ("30m", 0, 30 * MINUTE, "30m"),
        ("5 mins", 0, 5 * MINUTE, "5m"),
        ("6 months", 6, 0, "6mo"),
        ("1y", 12, 0, "1y"),
        ("007d", 0, 7 * DAY, "7d"),
    ],
)
def test_a_ttl_has_one_meaning_and_one_written_form(
    text: str, months: int, seconds: int, written: str
) -> None:
    assert read_ttl(text) == Duration(months, seconds)
    assert canonical_ttl(f" {text} ") == written
    assert read_ttl(written) == read_ttl(text)


@pytest.mark.parametrize("text", ["never", "", "  ", "Never"])
def test_never_is_no_ttl(text: str) -> None:
    assert read_ttl(text) is None
    assert canonical_ttl(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "0d",
        "P0D",
        "-1d",
        "1.5d",
        "1:00:00",
        "2026-05-19",
        "P",
        "PT",
        "P1",
        "P1DT",
        "T1H",
        "1x",
        "d",
        "٣d",
        "1d 2h",
    ],
)
def test_any_other_ttl_is_refused_with_the_form_it_takes(text: str) -> None:
    with pytest.raises(ValueFormatError) as caught:
        read_ttl(text)
    assert "90d" in str(caught.value.hint)


def test_a_day_of_ttl_has_24_hours_also_when_clocks_go_back() -> None:
    created = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    ends = expiry(created, Duration(0, DAY), BERLIN)
    assert ends == datetime(2026, 10, 25, 10, tzinfo=UTC)
    assert ends == datetime(2026, 10, 25, 11, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("created", "months", "ends"),
    [
        ((2026, 1, 31), 1, (2026, 2, 28)),
        ((2028, 1, 31), 1, (2028, 2, 29)),
        ((2028, 2, 29), 12, (2029, 2, 28)),
        ((2026, 12, 15), 1, (2027, 1, 15)),
        ((2026, 3, 31), 18, (2027, 9, 30)),
    ],
)
def test_months_go_by_the_calendar(
    created: tuple[int, int, int], months: int, ends: tuple[int, int, int]
) -> None:
    assert expiry(datetime(*created, 8, tzinfo=BERLIN), Duration(months, 0), BERLIN) == datetime(
        *ends, 8, tzinfo=BERLIN
    )


def test_past_the_end_of_the_calendar_is_never() -> None:
    created = datetime(2026, 1, 31, tzinfo=UTC)
    assert expiry(created, Duration(12 * 9000, 0), BERLIN) is None
    assert expiry(created, Duration(0, 999_999_999 * 7 * DAY), BERLIN) is None
    assert expiry(created, Duration(999_999_999, 0), BERLIN) is None


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-03-14", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ("20260314", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ("2026-03-14T10:15", datetime(2026, 3, 14, 9, 15, tzinfo=UTC)),
        ("2026-03-14 10:15:30", datetime(2026, 3, 14, 9, 15, 30, tzinfo=UTC)),
        ("2026-03-14t10:15:30.25z", datetime(2026, 3, 14, 10, 15, 30, 250_000, tzinfo=UTC)),
        ("2026-03-14T10:15:30.123456789Z", datetime(2026, 3, 14, 10, 15, 30, 123_456, tzinfo=UTC)),
        ("2026-03-14T10:15:30+08:00", datetime(2026, 3, 14, 2, 15, 30, tzinfo=UTC)),
        ("2026-03-14 10:15:30 -0530", datetime(2026, 3, 14, 15, 45, 30, tzinfo=UTC)),
        ("2026-03-14T10:15+02", datetime(2026, 3, 14, 8, 15, tzinfo=UTC)),
        ("1616692663", datetime(2021, 3, 25, 17, 17, 43, tzinfo=UTC)),
        ("1616692663207", datetime(2021, 3, 25, 17, 17, 43, 207_000, tzinfo=UTC)),
        ("1616692663.5", datetime(2021, 3, 25, 17, 17, 43, 500_000, tzinfo=UTC)),
    ],
)
def test_a_moment_is_read_in_the_forms_people_write(text: str, instant: datetime) -> None:
    assert read_moment(text, BERLIN) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "13.08.2026",
        "2026-02-30",
        "2026-13-01",
        "2026-03-14T25:00",
        "2026-03-14T10",
        "14/03/2026",
        "2026",
        "2026-03",
        "2026-03-14x10:15",
        "12:30",
        "٢٠٢٦-03-14",
        "2026-03-14T10:15+99:00",
        "0001-01-01T00:00+14:00",
        "1" * 30,
    ],
)
def test_what_is_no_moment_is_none(text: str) -> None:
    assert read_moment(text, BERLIN) is None


def test_a_whole_day_ends_at_the_next_midnight_of_the_zone() -> None:
    # The night in which clocks go forward is an hour shorter.
    assert read_moment("2026-03-28", BERLIN, whole_day=True) == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert read_moment("2026-03-29", BERLIN, whole_day=True) == datetime(2026, 3, 29, 22, tzinfo=UTC)
    assert read_moment("2026-03-29T10:00Z", BERLIN, whole_day=True) == datetime(2026, 3, 29, 10, tzinfo=UTC)
    assert read_moment("9999-12-31", BERLIN, whole_day=True) == datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-03-14.md", (2026, 3, 14)),
        ("standup 20260314.md", (2026, 3, 14)),
        ("log_2026_03_14_b.md", (2026, 3, 14)),
        ("v12345678-2026-03-14.md", (2026, 3, 14)),
    ],
)
def test_a_date_in_a_files_name_is_found(name: str, day: tuple[int, int, int]) -> None:
    assert date_in_name(name, BERLIN) == datetime(*day, tzinfo=BERLIN)


@pytest.mark.parametrize(
    "name",
    [
        "plan.md",
        "2026-03.md",
        "20261314.md",
        "2026-0314.md",
        "12345678.md",
        "020260314.md",
        "2026-02-30.md",
        "99990101.md",
    ],
)
def test_other_numbers_in_a_name_are_no_date(name: str) -> None:
    assert date_in_name(name, BERLIN) is None


def test_a_time_is_written_in_utc_to_the_second() -> None:
    assert (
        write_moment(datetime(2026, 11, 29, 12, 15, 0, 999, tzinfo=timezone(timedelta(hours=2))))
        == "2026-11-29T10:15:00Z"
    )
    assert write_moment(datetime(33, 1, 2, tzinfo=UTC)) == "0033-01-02T00:00:00Z"
    with pytest.raises(ValueFormatError):
        write_moment(datetime(2026, 11, 29, 12))  # noqa: DTZ001 — a time without a zone is the case


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 — bounds are naive
def test_what_is_written_is_read_back_to_the_second(moment: datetime) -> None:
    assert read_moment(write_moment(moment), BERLIN) == moment.replace(microsecond=0)


@given(st.text(max_size=20))
def test_any_text_is_a_ttl_or_refused(text: str) -> None:
    try:
        found = canonical_ttl(text)
    except ValueFormatError:
        return
    assert found is None or read_ttl(found) == read_ttl(text)


@pytest.mark.parametrize(
    ("stands", "written"),
    [
        ("2026-02-11", "2026-11-30"),
        ("20260211", "20261130"),
        ("2026-02-11 10:00", "2026-11-30 00:15"),
        ("2026-02-11T10:00:00+08:00", "2026-11-30T07:15:30+08:00"),
        ("2026-02-11T10:00:00.123Z", "2026-11-29T23:15:30.250Z"),
        ("1616692663207", "1795994130250"),
        ("1616692663", "1795994130"),
        ("yesterday", "2026-11-29T23:15:30Z"),
        ("", "2026-11-29T23:15:30Z"),
    ],
)
def test_a_time_is_written_in_the_form_that_stands_there(stands: str, written: str) -> None:
    at = datetime(2026, 11, 29, 23, 15, 30, 250_000, tzinfo=UTC)
    assert write_moment_like(at, stands, BERLIN) == written
