"""Since when a session is told what changed: no change is told to some of an agent's sessions alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from vault_memory.model.looked import GOES_ON, MOST, Looked, looked_text, read_looked

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
LATER = timedelta(seconds=GOES_ON)
T = [f"abc.{number}.0123abc" for number in range(40)]


def begun(looked: Looked, session: str, token: str, now: datetime = NOW) -> Looked:
    return looked.with_begun(session, now, looked.since(session, now), token)


def test_a_session_beside_another_counts_from_where_that_one_did() -> None:
    both = begun(begun(Looked(T[0]), "a", T[1]), "b", T[2])
    assert both.token == T[2]
    assert [both.since(one, NOW) for one in ("a", "b", "c", "")] == [T[0]] * 4
    assert both.without("a").since("c", NOW) == T[1]
    assert both.without("a").without("b").since("c", NOW) == T[2]


def test_the_first_look_is_a_first_look_for_all_that_begin_with_it() -> None:
    one = begun(Looked(), "a", T[1])
    assert (one.since("b", NOW), one.token) == (T[1], T[1])


def test_a_session_whose_end_nobody_told_is_over_some_day_and_holds_nothing_back() -> None:
    looked = Looked(T[0])
    for hour in range(35):
        looked = begun(looked, f"s{hour}", T[hour + 1], NOW + timedelta(hours=hour))
    # Those of the last twelve hours may go on; the first of these counted from the one before it.
    assert looked.since("new", NOW + timedelta(hours=34)) == T[23]
    assert looked.since("new", NOW + timedelta(hours=34) + LATER) == T[35]
    assert looked.since("new", NOW - timedelta(days=900)) == T[35], "a clock that was set back"
    assert len(looked.sessions) == MOST


def test_a_session_taken_up_days_later_is_told_what_came_since_its_own_begin() -> None:
    looked = begun(begun(Looked(T[0]), "a", T[1]), "b", T[2], NOW + LATER)
    assert looked.since("a", NOW + LATER) == T[1]


def test_what_is_kept_reads_as_it_was() -> None:
    for one in (Looked(), Looked(T[0]), begun(begun(Looked(), "a", T[1]), "\ud800 b\n", T[2])):
        assert read_looked(looked_text(one)) == one


@pytest.mark.parametrize(
    "text",
    [
        "",
        "junk",
        "junk\n",
        "-\n",
        "\x00" * 300,
        "- 1 2 3\n",
        f"-\nx y {T[1]} {T[1]} {T[1]}\nx 1 - {T[1]} junk\nx -1 {T[1]} {T[1]} {T[1]}\n",
    ],
)
def test_what_can_t_be_read_is_no_look_and_no_session(text: str) -> None:
    assert read_looked(text) == Looked()


def test_a_line_that_was_cut_off_is_no_session() -> None:
    text = looked_text(begun(Looked(T[0]), "a", T[1]))
    assert read_looked(text[:-3]) == Looked(T[1])


def test_a_session_that_begins_anew_is_told_all_again_though_the_one_beside_it_has_ended() -> None:
    both = begun(begun(Looked(T[0]), "a", T[1]), "b", T[2]).without("a")
    assert both.since("b", NOW) == T[0]
    assert both.since("c", NOW) == T[1]
