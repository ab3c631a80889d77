"""A time to live means one thing."""

from __future__ import annotations

from datetime import UTC, datetime
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
    expiry,
    read_ttl,
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


@given(st.text(max_size=20))
def test_any_text_is_a_ttl_or_refused(text: str) -> None:
    try:
        found = canonical_ttl(text)
    except ValueFormatError:
        return
    assert found is None or read_ttl(found) == read_ttl(text)
