"""Since when a session is told what changed: no change is told to some of an agent's sessions alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vault_memory.adapters.files.looks import LookFiles
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


def test_a_session_that_begins_anew_holds_back_nothing_from_those_beside_it() -> None:
    both = begun(begun(Looked(T[0]), "a", T[1]), "b", T[2])
    again = begun(both, "a", T[3])
    assert [again.since(one, NOW) for one in ("a", "b", "c")] == [T[0]] * 3
    assert again.token == T[3]
    assert again.without("b").since("c", NOW) == T[0]
    assert begun(again, "a", T[4], NOW + LATER).since("c", NOW + LATER) == T[3], "taken up the next day"


def test_the_session_that_is_forgotten_is_the_one_that_began_last_the_longest_ago() -> None:
    looked = Looked(T[0])
    for number in range(MOST):
        looked = begun(looked, f"s{number}", T[number + 1], NOW + timedelta(minutes=number))
    hour = NOW + timedelta(hours=1)
    looked = begun(begun(looked, "s0", T[38], hour), "new", T[39], hour)
    assert len(looked.sessions) == MOST
    assert (looked.since("s0", hour), looked.since("s2", hour)) == (T[0], T[0])
    assert looked.since("s1", hour + LATER) == T[39], "it is not known any more"


def test_the_file_of_a_caller_holds_all_sessions_with_the_longest_tokens(tmp_path: Path) -> None:
    looked = Looked(f"{'a' * 64}.{'9' * 18}.{'f' * 64}")
    for number in range(MOST):
        looked = begun(looked, str(number), f"{'b' * 64}.{number + 10**17}.{'e' * 64}")
    files = LookFiles(tmp_path)
    files.note("akashi", looked)
    assert files.of("akashi") == looked
