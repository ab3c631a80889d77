"""Data sets are read in both forms, and what is wrong in one is told with its place."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.evaluate.recall.talk import locomo, longmemeval, saved
from vault_memory.errors import FormatError, NotFoundError
from vault_memory.evaluate.recall.source import read


def test_locomo_is_read_with_its_turns_dates_and_evidence(tmp_path: Path) -> None:
    found = read(saved(tmp_path, locomo()))
    assert (found.form, found.name) == ("locomo", "talk.json")
    first = found.conversations[0]
    assert [one.name for one in first.sessions] == ["session-01", "session-02"]
    assert first.sessions[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert first.sessions[1].at == datetime(2023, 6, 20, 0, 5, tzinfo=UTC)
    assert (
        first.sessions[0].turns[2] == "Nora: I planted three quince trees behind the shed. [shares saplings]"
    )
    assert [(one.category, sorted(one.turns)) for one in first.questions] == [
        ("single-hop", [(0, 2)]),
        ("temporal", [(0, 1)]),
        ("multi-hop", [(1, 0), (1, 2)]),
        ("single-hop", [(0, 3)]),
    ]
    assert first.left_out == 3
    assert {one.at for one in first.questions} == {datetime(2023, 6, 21, 0, 5, tzinfo=UTC)}
    assert first.questions[2].sessions == {1}


def test_the_first_five_conversations_are_for_tuning(tmp_path: Path) -> None:
    many = [{**locomo()[1], "sample_id": f"c{number}"} for number in range(7)]
    halves = [one.half for one in read(saved(tmp_path, many)).conversations]
    assert halves == ["tuning"] * 5 + ["held-out"] * 2


def test_no_name_of_a_conversation_leads_out_of_its_folder_or_is_there_twice(tmp_path: Path) -> None:
    names = ["../up", "..", "a b", "A/B", "a-b", "talk"]
    many = [{**locomo()[1], "sample_id": name} for name in names]
    found = [one.name for one in read(saved(tmp_path, many)).conversations]
    assert found == ["up", "conversation-2", "a-b", "A-B-4", "a-b-5", "talk"]


def test_longmemeval_is_read_with_the_turns_that_answer(tmp_path: Path) -> None:
    found = read(saved(tmp_path, longmemeval()))
    assert found.form == "longmemeval"
    first, abstaining = found.conversations
    [question] = first.questions
    assert (question.id, question.category) == ("q-1", "single-session-user")
    assert question.at == datetime(2023, 6, 1, 10, 0, tzinfo=UTC)
    assert (question.turns, question.sessions) == (frozenset({(1, 0)}), frozenset({1}))
    assert first.sessions[0].turns[1] == "assistant: Try tomatoes with basil. - garlic - olive oil"
    assert first.sessions[0].at == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert (abstaining.questions, abstaining.left_out) == ((), 1)
    assert first.half is None


def test_a_history_whose_turns_are_not_marked_still_has_its_sessions(tmp_path: Path) -> None:
    value = longmemeval()
    del value[0]["haystack_sessions"][1][0]["has_answer"]
    [question] = read(saved(tmp_path, value)).conversations[0].questions
    assert (question.turns, question.sessions) == (frozenset(), frozenset({1}))


def test_one_conversation_need_not_be_in_a_list(tmp_path: Path) -> None:
    assert len(read(saved(tmp_path, locomo()[0])).conversations) == 1


def _without(value: list[Any], *path: Any) -> list[Any]:
    """The value without what lies at that path."""
    within: Any = value
    for step in path[:-1]:
        within = within[step]
    del within[path[-1]]
    return value


def _with(value: list[Any], new: object, *path: Any) -> list[Any]:
    """The value with something else at that path."""
    within: Any = value
    for step in path[:-1]:
        within = within[step]
    within[path[-1]] = new
    return value


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "is no set of conversations"),
        (["text"], "is no set of conversations"),
        ([{"title": "x"}], "neither 'qa' nor 'haystack_sessions'"),
        (_without(locomo(), 0, "conversation"), "talk.json: conversation 1: there is no 'conversation'"),
        (_with(locomo(), 3, 0, "qa"), "conversation 1: qa: must be a list"),
        (_with(locomo(), "x", 1), "conversation 2: must be a map"),
        (_without(locomo(), 0, "conversation", "session_2", 1, "dia_id"), "turn 2: there is no 'dia_id'"),
        (_with(locomo(), 7, 0, "conversation", "session_1", 0, "speaker"), "turn 1: speaker: must be a text"),
        (_without(locomo(), 0, "conversation", "session_1_date_time"), "there is no 'session_1_date_time'"),
        (_with(locomo(), "8 Mai", 0, "conversation", "session_1_date_time"), "'8 Mai' is no date such as"),
        (_with(locomo(), "1:00 pm on 31 June, 2023", 0, "conversation", "session_1_date_time"), "is no date"),
        (_with(locomo(), True, 0, "qa", 0, "category"), "question 1: category: must be a whole number"),
        (_with(locomo(), {}, 0, "conversation"), "there is no session in it"),
        (_without(longmemeval(), 0, "haystack_dates"), "question 1: there is no 'haystack_dates'"),
        (_with(longmemeval(), ["2023/05/20"], 0, "haystack_dates"), "2 sessions have 1 dates"),
        (_with(longmemeval(), ["a"], 0, "haystack_session_ids"), "2 sessions have 1 ids"),
        (_with(longmemeval(), "yesterday", 0, "haystack_dates", 1), "session 2: 'yesterday' is no date"),
        (_with(longmemeval(), "2023/13/01", 0, "question_date"), "question_date: '2023/13/01' is no date"),
        (_with(longmemeval(), [], 0, "haystack_sessions"), "there is no session in it"),
        (_with(longmemeval(), ["x"], 0, "haystack_sessions", 0), "session 1: turn 1: must be a map"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told_with_its_place(tmp_path: Path, value: object, told: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(saved(tmp_path, value))
    assert told in str(caught.value)
    assert caught.value.hint


def test_what_is_no_json_and_what_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_bytes(b"\xff{")
    with pytest.raises(FormatError, match="is not JSON"):
        read(tmp_path / "talk.json")
    with pytest.raises(NotFoundError, match="there is no file"):
        read(tmp_path / "none.json")
    with pytest.raises(NotFoundError, match="can't be read"):
        read(tmp_path)


def test_a_form_that_is_named_is_taken_at_its_word(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no 'question_id'"):
        read(saved(tmp_path, locomo()), "longmemeval")
