"""Dates and times mean one thing each, in whatever form people write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import ValueFormatError
from vault_memory.model.dateforms import FORMS, NoDateError, Unit, read_form
from vault_memory.model.moments import (
    date_in_name,
    instant,
    instant_said,
    parse_moment,
    read_moment,
    write_moment,
    write_moment_like,
)

BERLIN = ZoneInfo("Europe/Berlin")
EXAMPLES = [example for form in FORMS for example in form.examples]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_table_is_of_the_day_that_it_says(example: str) -> None:
    reading = read_form(example)
    first = read_moment(example, UTC)
    end = read_moment(example, UTC, whole_day=True)
    assert first is not None
    assert end is not None
    if reading.unit is Unit.INSTANT:
        assert first == end
        assert datetime(2026, 3, 14, 2, tzinfo=UTC) <= first <= datetime(2026, 3, 14, 22, 15, tzinfo=UTC)
    else:
        assert first <= datetime(2026, 3, 14, tzinfo=UTC) < end
        lengths = {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 31, Unit.YEAR: 365}
        assert end - first == timedelta(days=lengths[reading.unit])


@pytest.mark.parametrize("example", EXAMPLES)
def test_case_and_space_around_it_change_nothing(example: str) -> None:
    assert read_moment(f"  {example.upper()}\t", BERLIN) == read_moment(example, BERLIN)
    assert read_moment(example.lower(), BERLIN) == read_moment(example, BERLIN)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("２０２６－０３－１４", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ("2026\u201103\u201114", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ("3/14/2026, 10:15:30\u202fPM", datetime(2026, 3, 14, 21, 15, 30, tzinfo=UTC)),
        ("2026-3-4", datetime(2026, 3, 3, 23, tzinfo=UTC)),
        ("03/03/2026", datetime(2026, 3, 2, 23, tzinfo=UTC)),
        ("Saturday, March 14th, 2026 at 10pm", datetime(2026, 3, 14, 21, tzinfo=UTC)),
        ("14th of March 2026", datetime(2026, 3, 13, 23, tzinfo=UTC)),
        ("12:15 AM 2026-03-14", None),
        ("2026-03-14 12:15 am", datetime(2026, 3, 13, 23, 15, tzinfo=UTC)),
        ("2026-03-14 12:15 P.M.", datetime(2026, 3, 14, 11, 15, tzinfo=UTC)),
        ("2026-03-14 24:00", datetime(2026, 3, 14, 23, tzinfo=UTC)),
        ("2026-03-14T10:15:30\u221205:00", datetime(2026, 3, 14, 15, 15, 30, tzinfo=UTC)),
        ("2026-03-14 10:15 UTC+8", datetime(2026, 3, 14, 2, 15, tzinfo=UTC)),
        ("2026-03-14T10:15:30+01:00[Europe/Berlin]", datetime(2026, 3, 14, 9, 15, 30, tzinfo=UTC)),
        (
            "Sat Mar 14 2026 10:15:30 GMT+0800 (China Standard Time)",
            datetime(2026, 3, 14, 2, 15, 30, tzinfo=UTC),
        ),
        ("Sat, 14 Mar 2026 10:15:30 GMT", datetime(2026, 3, 14, 10, 15, 30, tzinfo=UTC)),
        ("2020-W53-5", datetime(2020, 12, 31, 23, tzinfo=UTC)),
    ],
)
def test_odd_spellings_are_read_too(text: str, instant: datetime | None) -> None:
    assert read_moment(text, BERLIN) == instant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("03/04/2026", "either way"),
        ("3-4-2026 10:15", "either way"),
        ("14/03/26", "four digits"),
        ("14.3.26", "four digits"),
        ("2026-02-30", "no such day"),
        ("31.04.2026", "no such day"),
        ("20260230", "no such day"),
        ("202602301015", "no such day"),
        ("2026-W54-1", "no such day"),
        ("2026-03-14 25:00", "no such time"),
        ("2026-03-14 13:15 PM", "no such time"),
        ("2026-03-14 24:01", "no such time"),
        ("2026-03-14 10:15+24:00", "no such offset"),
        ("2026-03-14 10:15 CET", "offset from UTC"),
        ("14. März 2026", "English"),
        ("mars 14, 2026", "English"),
        ("10:15", "without a day"),
        ("-3600", "negative"),
        ("0001-01-01T00:00+14:00", "outside the calendar"),
        ("soon", ""),
    ],
)
def test_what_is_no_date_is_refused_with_the_reason_where_there_is_one(text: str, reason: str) -> None:
    with pytest.raises(NoDateError) as caught:
        parse_moment(text, BERLIN)
    assert reason in str(caught.value)
    assert bool(reason) == bool(str(caught.value))


def test_a_time_that_comes_twice_or_never_means_one_instant() -> None:
    back = "2026-10-25 02:30"
    forward = "2026-03-29 02:30"
    assert read_moment(back, BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert read_moment(forward, BERLIN) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


@given(st.text(max_size=30))
def test_any_text_is_a_moment_in_utc_or_refused(text: str) -> None:
    for whole_day in (False, True):
        try:
            moment = parse_moment(text, BERLIN, whole_day=whole_day)
        except NoDateError:
            continue
        assert moment.tzinfo is UTC


@given(
    st.sampled_from(EXAMPLES),
    st.datetimes(datetime(1971, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 — bounds are naive
)
def test_a_time_written_like_another_is_read_as_exactly_as_the_form_can_say(
    example: str, moment: datetime
) -> None:
    shaped = write_moment_like(moment, example, BERLIN)
    first, end = read_moment(shaped, BERLIN), read_moment(shaped, BERLIN, whole_day=True)
    assert first is not None
    assert end is not None
    assert first <= moment < max(end, first + timedelta(minutes=1))


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
        "2026-02-30",
        "2026-13-01",
        "2026-03-14T25:00",
        "2026-03-14T10",
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
        ("202603141015 A slip.md", (2026, 3, 14)),
        ("20260314101530.md", (2026, 3, 14)),
        ("daily.journal.2026.03.14.md", (2026, 3, 14)),
        ("Mar 14th, 2026.md", (2026, 3, 14)),
        ("Standup of 14 March 2026.md", (2026, 3, 14)),
        ("March 14, 2026 and after.md", (2026, 3, 14)),
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
        "2026-03-141015.md",
        "20260314101.md",
        "March 2026.md",
        "Feb 30, 2026.md",
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
        ("2026.02.11", "2026.11.30"),
        ("2026-2-9", "2026-11-30"),
        ("11.02.2026 10:00", "30.11.2026 00:15"),
        ("Wed, 11 Feb 2026 10:00:00 +0800", "Mon, 30 Nov 2026 07:15:30 +0800"),
        ("11 february 2026", "30 november 2026"),
        ("February 11th, 2026", "November 30th, 2026"),
        ("2026-02-11 10:00 PM", "2026-11-30 12:15 AM"),
        ("2026-W07-3", "2026-W49-1"),
        ("2026-02", "2026-11"),
        ("202602111000", "202611300015"),
        ("13/02/2026", "30/11/2026"),
        ("", "2026-11-29T23:15:30Z"),
    ],
)
def test_a_time_is_written_in_the_form_that_stands_there(stands: str, written: str) -> None:
    at = datetime(2026, 11, 29, 23, 15, 30, 250_000, tzinfo=UTC)
    assert write_moment_like(at, stands, BERLIN) == written


def test_a_form_that_cant_say_it_gives_way() -> None:
    fourth = datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert write_moment_like(fourth, "13/02/2026", BERLIN) == "2026-03-04T12:00:00Z"
    second_of_two = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert write_moment_like(second_of_two, "2026-02-11 10:00", BERLIN) == "2026-10-25T01:30:00Z"


@pytest.mark.parametrize(
    ("seconds", "year"),
    [(0, 1970), (10**12, 9999), (10**30, 9999), (-(10**12), 1), (-(10**30), 1), (253402300799, 9999)],
)
def test_seconds_beyond_the_calendar_are_its_ends(seconds: int, year: int) -> None:
    found = instant(seconds)
    assert found.year == year
    for hours in (-14, 14):  # any zone may be asked of it
        found.astimezone(timezone(timedelta(hours=hours)))


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("2026-03-14T10:15:00+01:00", 2026),
        ("", 1970),
        ("33658-09-27T01:46:39+00:00", 9999),
        ("-0044-03-15", 1),
        ("2023-11-14T22:13:20+99:59", 1970),
        ("9999-12-31T23:59:59-14:00", 9999),
        ("0001-01-01T00:00:00+14:00", 1),
    ],
)
def test_what_git_says_of_a_time_is_always_one(said: str, year: int) -> None:
    assert instant_said(said).year == year
