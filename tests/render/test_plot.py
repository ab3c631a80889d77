"""Columns of days: never wider than the terminal, nothing lost in folding, plain where it must be."""

from __future__ import annotations

import re
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.usage import DayUse
from vault_memory.render.plot import MOST_DOORS, ROWS, render_plot
from vault_memory.render.style import cells

FIRST = date(2026, 3, 1)
DAYS = st.dictionaries(
    st.integers(0, 120),
    st.dictionaries(st.sampled_from(["recall", "session-start"]), st.integers(1, 3_000), min_size=1),
).map(lambda days: [DayUse(FIRST + timedelta(day), doors) for day, doors in sorted(days.items())])


def drawn(
    days: list[DayUse], *, width: int = 60, plain: bool = False, colour: bool = False, last: int = 0
) -> str:
    end = (days[-1].day if days else FIRST) + timedelta(last)
    return render_plot(days, last=end, width=width, ascii_only=plain, colour=colour)


@given(DAYS, st.integers(40, 200), st.booleans(), st.integers(0, 40))
def test_no_line_is_wider_than_the_terminal(days: list[DayUse], width: int, plain: bool, last: int) -> None:
    text = drawn(days, width=width, plain=plain, last=last)
    heads = re.compile(r"^[a-z-]+  [\d,]+ answers?, at most")
    assert all(cells(line) <= width for line in text.splitlines() if not heads.match(line))
    assert not plain or text.isascii()
    assert "\x1b" not in text


@given(DAYS, st.integers(40, 200))
def test_each_door_has_a_picture_with_its_count(days: list[DayUse], width: int) -> None:
    text = drawn(days, width=width)
    totals = {door: sum(day.doors.get(door, 0) for day in days) for door in ("recall", "session-start")}
    for door, total in totals.items():
        assert (f"{door}  {total:,} answer" in text) is bool(total)


@given(DAYS)
def test_every_day_with_an_answer_leaves_a_mark_on_the_line(days: list[DayUse]) -> None:
    for picture in filter(None, drawn(days, width=400).split("\n\n")):
        door = picture.split("  ")[0]
        lowest = picture.splitlines()[ROWS].partition("│")[2]
        marked = {
            FIRST + timedelta((days[0].day - FIRST).days + at)
            for at, mark in enumerate(lowest)
            if mark != " "
        }
        assert marked == {day.day for day in days if day.doors.get(door)}


def test_a_week_looks_like_this() -> None:
    counts = [1, 4, 0, 8, 6, 0, 2]
    days = [DayUse(FIRST + timedelta(at), {"recall": count}) for at, count in enumerate(counts) if count]
    assert drawn(days, last=2) == (
        "recall  21 answers, at most 8 a day\n"
        "8 │   █\n"
        "  │   ██\n"
        "  │ █ ██\n"
        "  │▄█ ██ █\n"
        "0 └─────────\n"
        "   03-01 to 03-09"
    )
    assert drawn(days, plain=True).splitlines()[1:5] == ["8 |   #", "  |   ##", "  | # ##", "  |:# ## #"]


def test_more_days_than_columns_are_folded_and_add_up() -> None:
    days = [DayUse(FIRST + timedelta(at), {"recall": 1}) for at in range(100)]
    head = drawn(days, width=40).splitlines()[0]
    assert head == "recall  100 answers, at most 3 in 3 days"


def test_a_doors_name_can_not_steer_the_terminal_and_very_many_are_not_all_drawn() -> None:
    days = [DayUse(FIRST, {f"door {number}\x1b[2J": 1 for number in range(MOST_DOORS + 3)})]
    text = drawn(days)
    assert "\x1b" not in text
    assert text.endswith("(3 more doors)")
    assert drawn([]) == ""
