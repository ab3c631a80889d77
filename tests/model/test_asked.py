"""Reading a question: whom it names, whether it asks when, which day it means, and who is near it."""

from __future__ import annotations

import re
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.asked import Asked, Day, Voices, day_in, look_at, nearness, unnamed
from vault_memory.model.corpus import NO_DAY
from vault_memory.model.cues import voice_of
from vault_memory.model.fold import fold

NAMES = {
    name: number
    for number, name in enumerate(
        [
            "caroline", "melanie", "anna", "ann", "anna maria", "o'neil smith", "j. r. tolkien", "andrew",
            "claude-code", "agent_7", "agent_8", "小明", "민수", "müller", "🙂", "user",
        ],
        1,
    )
}  # fmt: skip


def named(question: str) -> str | None:
    """The voice that the question names."""
    number = look_at(question, Voices(NAMES)).voice
    return next((name for name, one in NAMES.items() if one == number), None)


# Names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What did Caroline paint?", "caroline"),
        ("what did CAROLINE paint", "caroline"),
        ("Caroline's dog", "caroline"),
        ("Caroline’s dog", "caroline"),
        ("Where is Carol?", "caroline"),
        ("Carol's dog", "caroline"),
        ("What did Mel buy", "melanie"),
        ("and Me?", None),
        ("Did Caroline meet Melanie?", None),
        ("Did Carol meet Mel?", None),
        ("What did Ann say?", "ann"),
        ("What did Anna say?", "anna"),
        ("What did Anna Maria say?", "anna maria"),
        ("What did O'Neil Smith say?", "o'neil smith"),
        ("Where is O'Neil Smith's hat?", "o'neil smith"),
        ("What did Smith say?", None),
        ("What did J. R. Tolkien write?", "j. r. tolkien"),
        ("Rock and roll", None),
        ("Where was Andrew?", "andrew"),
        ("What did claude-code change?", "claude-code"),
        ("what did agent_7 decide", "agent_7"),
        ("what did the agent decide", None),
        ("小明昨天说了什么", "小明"),
        ("민수는 어디에 살아요", "민수"),
        ("Was hat Müller gesagt?", "müller"),
        ("MU\u0308LLER", "müller"),
        ("users of the library", None),
        ("a Carolinean accent", None),
        ("", None),
    ],
)
def test_a_question_names_a_voice_by_its_name_or_the_beginning_of_it(question: str, name: str | None) -> None:
    assert named(question) == name


def test_both_of_two_names_are_told_though_neither_is_meant() -> None:
    found = look_at("Did Caroline's cat like Mel?", Voices(NAMES))
    assert found == Asked(None, frozenset({"caroline", "mel"}), False, None)


def test_a_stop_word_begins_no_name() -> None:
    assert look_at("what about him and her", Voices({"herbert": 1, "andy": 2, "aboulela": 3})).voice is None


def test_the_words_that_name_somebody_go_unless_nothing_is_left() -> None:
    for question, rest in [
        ("What did Caroline's cat eat?", "What did cat eat?"),
        ("Caroline?", "Caroline?"),
        ("who is Anna Maria", "who is"),
        ("小明昨天说了什么", "小明昨天说了什么"),
        ("nobody here", "nobody here"),
    ]:
        assert unnamed(question, look_at(question, Voices(NAMES)).named) == rest


# When


@pytest.mark.parametrize(
    "question",
    [
        "When did she go?", "  when was it", "What day is the fair?", "what month", "which year was that",
        "In what year did it open?", "how long did it take", "What time is the train?", "她什么时候回来",
        "會議什麼時候開", "会议在何时", "哪天出发", "会議はいつですか", "회의가 언제예요?", "생일이 며칠이야",
    ],
)  # fmt: skip
def test_a_question_for_a_time_is_known_in_four_languages(question: str) -> None:
    assert look_at(question, Voices({})).when


@pytest.mark.parametrize(
    "question",
    [
        "Whenever you like",
        "where was it",
        "What happened when she left?",
        "谁来了",
        "誰ですか",
        "누구예요",
        "",
    ],
)
def test_any_other_question_is_none_for_a_time(question: str) -> None:
    assert not look_at(question, Voices({})).when


# Days


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on 7 May 2023", (2023, 5, 7)),
        ("on May 7, 2023", (2023, 5, 7)),
        ("on the 7th of May, 2023", (2023, 5, 7)),
        ("May 7th 2023", (2023, 5, 7)),
        ("May 2023", (2023, 5, None)),
        ("in May", (None, 5, None)),
        ("last may", (None, 5, None)),
        ("May 7", (None, 5, 7)),
        ("she may go", None),
        ("may I ask", None),
        ("she may go in 2023", (2023, None, None)),
        ("in 2023", (2023, None, None)),
        ("2023", (2023, None, None)),
        ("in 1850", None),
        ("in the year 12023", None),
        ("2023-05-07", (2023, 5, 7)),
        ("2023-05-07T10:00", (2023, 5, 7)),
        ("2023-5", (2023, 5, None)),
        ("the season 2023-24", (2023, None, None)),
        ("2023-99-99", (2023, None, None)),
        ("2023-05-99", (2023, 5, None)),
        ("2023年5月7日", (2023, 5, 7)),
        ("２０２３年５月７日", (2023, 5, 7)),
        ("2023年5月7号去了哪里", (2023, 5, 7)),
        ("2023年5月", (2023, 5, None)),
        ("2023年", (2023, None, None)),
        ("5月7日に何を", (None, 5, 7)),
        ("3个月", None),
        ("13月", None),
        ("2023년 5월 7일", (2023, 5, 7)),
        ("31 February", (None, 2, None)),
        ("February 30, 2023", (2023, 2, None)),
        ("29 February", (None, 2, 29)),
        ("0 June", (None, 6, None)),
        ("June 99", (None, 6, None)),
        ("Sept 3", (None, 9, 3)),
        ("3 Sep. 2022", (2022, 9, 3)),
        ("Dec 2022", (2022, 12, None)),
        ("the dec machine", None),
        ("jan said so", None),
        ("December", (None, 12, None)),
        ("at May 12:30", (None, 5, None)),
        ("summary", None),
        ("7 8 2023", (2023, None, None)),
        ("the first of June and the 3 July 2021", (2021, 6, None)),
        ("", None),
    ],
)
def test_a_day_is_read_as_far_as_a_calendar_has_it(
    text: str, day: tuple[int | None, int | None, int | None] | None
) -> None:
    assert day_in(fold(text)) == (None if day is None else Day(*day))


def number(day: date) -> int:
    return day.toordinal() - date(1970, 1, 1).toordinal()


def near(asked: Day, *days: date | None) -> list[float]:
    of = [NO_DAY if day is None else number(day) for day in days]
    return [float(one) for one in nearness(asked, np.array(of, np.int64))]


def test_a_memory_of_a_day_is_the_nearer_the_sooner_after_it_was_written() -> None:
    asked = Day(2023, 5, 7)
    assert near(
        asked, date(2023, 5, 7), date(2023, 5, 8), date(2023, 5, 14), date(2023, 5, 15), date(2023, 6, 7)
    ) == [1.0, 0.7, 0.7, 0.4, 0.4]
    assert near(
        asked, date(2023, 6, 8), date(2023, 5, 6), date(2023, 5, 4), date(2023, 5, 3), date(2022, 5, 7)
    ) == [0.0, 0.2, 0.2, 0.0, 0.0]


def test_a_day_without_a_year_is_of_any_year_and_around_new_year_of_either() -> None:
    assert near(Day(None, 5, 7), date(2021, 5, 7), date(1999, 5, 9), date(2023, 4, 1)) == [1.0, 0.7, 0.0]
    assert near(Day(None, 12, 31), date(2024, 1, 2), date(2023, 12, 30), date(2024, 1, 20)) == [0.7, 0.2, 0.4]
    assert near(Day(None, 1, 1), date(2023, 12, 30), date(2024, 1, 1), date(2023, 12, 20)) == [0.2, 1.0, 0.0]


def test_a_day_at_the_end_of_a_year_is_near_to_the_first_of_the_next() -> None:
    assert near(Day(2023, 12, 31), date(2024, 1, 1), date(2024, 1, 31), date(2023, 1, 1)) == [0.7, 0.4, 0.0]
    assert near(Day(2024, 1, 1), date(2023, 12, 29), date(2023, 12, 28)) == [0.2, 0.0]


def test_a_month_is_near_to_the_one_after_it() -> None:
    asked = Day(2023, 12, None)
    assert near(asked, date(2023, 12, 1), date(2023, 12, 31), date(2024, 1, 5), date(2023, 11, 30)) == [
        1.0,
        1.0,
        0.5,
        0.0,
    ]
    assert near(Day(None, 12, None), date(2020, 12, 1), date(2021, 1, 1), date(2021, 2, 1)) == [1.0, 0.5, 0.0]


def test_a_year_is_near_to_the_one_after_it() -> None:
    assert near(
        Day(2023, None, None), date(2023, 1, 1), date(2024, 12, 31), date(2025, 1, 1), date(2022, 12, 31)
    ) == [1.0, 0.3, 0.0, 0.0]


def test_the_29th_of_february_of_a_year_without_one_is_the_day_after_the_28th() -> None:
    assert near(Day(2023, 2, 29), date(2023, 3, 1), date(2023, 2, 28)) == [1.0, 0.2]
    assert near(Day(2024, 2, 29), date(2024, 2, 29)) == [1.0]


@pytest.mark.parametrize("month", range(1, 13))
def test_a_memory_without_a_day_is_near_to_none(month: int) -> None:
    assert near(Day(None, month, None), None) == near(Day(None, month, 19), None) == [0.0]


# Anything at all

days = st.builds(
    Day,
    st.none() | st.integers(1900, 2099),
    st.none() | st.integers(1, 12),
    st.none() | st.integers(1, 31),
)
texts = st.text() | st.lists(
    st.sampled_from(
        [
            "May",
            "may",
            "31",
            "2023",
            "年",
            "月",
            "日",
            "-",
            "02",
            " ",
            "of",
            "Ann",
            "'s",
            "いつ",
            "Sept.",
            "１",
        ]
    )
).map("".join)


@given(texts, st.lists(st.text(max_size=12).map(voice_of).filter(bool), max_size=4))
def test_any_text_can_be_a_question_whoever_is_known(text: str, known: list[str]) -> None:
    voices = {name: number for number, name in enumerate(known, 1)}
    found = look_at(text, Voices(voices))
    assert found.voice is None or found.voice in voices.values()
    if found.day is not None:
        assert found.day.year is not None or found.day.month is not None
        assert found.day.month is None or 1 <= found.day.month <= 12
        assert found.day.day is None or 1 <= found.day.day <= 31
    assert unnamed(text, found.named) or not text


@given(days, st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-40_000, 60_000), max_size=20))
def test_nearness_is_a_share_for_any_day(asked: Day, of: list[int]) -> None:
    found = nearness(asked, np.array(of, np.int64))
    assert found.shape == (len(of),)
    assert ((found >= 0) & (found <= 1)).all()


@given(days.filter(lambda day: day.year is not None), st.dates(date(1890, 1, 1), date(2110, 1, 1)))
def test_the_years_around_count_for_nothing_where_the_year_is_told(asked: Day, of: date) -> None:
    if asked.year is not None and not asked.year - 1 <= of.year <= asked.year + 1:
        assert near(asked, of) == [0.0]


@given(st.text(max_size=12).map(voice_of).filter(bool))
def test_a_name_is_compared_folded(name: str) -> None:
    assert voice_of(name) == name


NAME_PARTS = st.sampled_from(
    ["ann", "anna", "annabel", "o'neil", "maria", "a", "agent_7", "agent", "小明", "müller", "-", "the"]
)
SAID = st.lists(NAME_PARTS | st.sampled_from(["what", "did", "s", "said"]), max_size=6).map(" ".join)


@given(SAID, st.lists(st.lists(NAME_PARTS, min_size=1, max_size=3).map(" ".join), unique=True, max_size=8))
def test_those_named_are_found_as_if_each_name_had_been_tried(question: str, names: list[str]) -> None:
    words = re.findall(r"[^\W_]+(?:['.-][^\W_]+)*", question)
    expected: dict[int, set[str]] = {}
    for number, name in enumerate(names, 1):
        own = re.findall(r"[^\W_]+(?:['.-][^\W_]+)*", name)
        if len(own) > 1:
            by = set(own) if f" {' '.join(own)} " in f" {' '.join(words)} " else set()
        elif name == "小明":
            by = {name} & {name if name in question else ""}
        else:
            by = {
                word
                for word in words
                if [word] == own
                or (len(word) > 2 and name.startswith(word) and word not in names and word != "the")
            }
        if by:
            expected[number] = by
    voices = Voices({name: number for number, name in enumerate(names, 1)})
    assert voices.named_in(question) == expected
