"""Cues: what asks something, what names a time, and whose it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.cues import Cue, cues_in, voice_of
from vault_memory.model.terms import cut


def cues(text: str, *, is_turn: bool = True) -> Cue:
    return Cue(cues_in(text, cut(text), is_turn=is_turn))


@pytest.mark.parametrize("text", ["How are you?", "你好吗？", "كيف حالك؟", "Well? I wonder.", "?"])
def test_a_turn_with_a_question_mark_asks_and_a_note_never_does(text: str) -> None:
    assert Cue.ASKS in cues(text)
    assert Cue.ASKS not in cues(text, is_turn=False)


@pytest.mark.parametrize("text", ["", "I am well.", "you know what"])
def test_without_a_question_mark_nothing_asks(text: str) -> None:
    assert cues(text) == Cue(0)


@pytest.mark.parametrize(
    "text",
    [
        "I went yesterday",
        "It was two weeks ago",
        "See you tomorrow!",
        "Last week we met",
        "next month, then",
        "this summer",
        "the past few days",
        "on Monday",
        "Sundays are quiet",
        "in December",
        "since 2019",
        "on the 3rd",
        "the 21st of it",
        "last May",
        "昨天下雨了",
        "我们去年去了海边",
        "上週見過他",
        "5月7日に会った",
        "昨日は雨だった",
        "先週会った",
        "어제 비가 왔어",
        "지난 주에 만났다",
        "3월에 만나요",
        "2023年",
    ],
)
def test_a_text_that_says_when_is_timed_turn_or_not(text: str) -> None:
    assert Cue.TIMED in cues(text)
    assert Cue.TIMED in cues(text, is_turn=False)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "you may go",
        "they march on",
        "a second try",
        "a week of rain",
        "this thing",
        "1234 things",
        "2500 steps",
        "12 apples",
        "the 100 best",
        "the best season",
        "last in line",
        "天气很好",
        "3个苹果",
        "天気がいい",
        "날씨가 좋다",
    ],
)
def test_a_text_that_does_not_say_when_is_not_timed(text: str) -> None:
    assert Cue.TIMED not in cues(text)


def test_both_may_hold() -> None:
    assert cues("Did you go yesterday?") == Cue.ASKS | Cue.TIMED


@given(st.text(), st.booleans())
def test_any_text_has_cues_that_fit_their_bits(text: str, is_turn: bool) -> None:
    found = cues_in(text, cut(text), is_turn=is_turn)
    assert 0 <= found <= Cue.ASKS | Cue.TIMED
    assert type(found) is int


@pytest.mark.parametrize(
    ("name", "voice"),
    [("Caroline", "caroline"), (" Anna \t Maria ", "anna maria"), ("ÉRIK", "erik"), ("", ""), (" \n", "")],
)
def test_a_voice_is_a_name_folded_with_single_blanks(name: str, voice: str) -> None:
    assert voice_of(name) == voice
