"""Trimming to a number of tokens ends where a reader would pause."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.cutting import trim
from vault_memory.model.tokens import estimate


def test_a_text_that_fits_is_left_whole() -> None:
    assert trim("One. Two. ", 100, estimate) == "One. Two. "


def test_a_long_text_ends_after_a_sentence() -> None:
    text = "The first sentence is short. The second one goes on for rather a long while, as they do."
    assert trim(text, 12, estimate) == "The first sentence is short."


def test_a_long_text_ends_after_a_line() -> None:
    assert trim("- one thing\n- another thing\n- a third thing that is longer", 12, estimate) == (
        "- one thing\n- another thing"
    )


def test_a_chinese_text_ends_after_its_full_stop() -> None:
    assert trim("第一句话。第二句话比第一句话长得多，怎么也放不下。", 10, estimate) == "第一句话。"


def test_a_sentence_too_long_ends_after_a_word() -> None:
    assert trim("word " * 100, 5, estimate).split() == ["word"] * 4


def test_a_word_too_long_ends_after_a_character_as_a_person_sees_it() -> None:
    family = "👨‍👩‍👧‍👦"
    kept = trim(family * 20, 60, estimate)
    assert kept
    assert len(kept) % len(family) == 0


def test_a_full_stop_within_a_number_or_a_name_ends_nothing() -> None:
    assert trim(
        "It costs 3.14159 euros in file.config and then much more text follows here", 12, estimate
    ) == ("It costs 3.14159 euros in")


def test_a_fence_is_left_out_rather_than_cut() -> None:
    text = "Before it.\n\n```python\n" + "x = 1\n" * 50 + "```\nAfter it."
    assert trim(text, 60, estimate) == "Before it."


def test_a_fence_that_fits_is_whole() -> None:
    fence = "```python\nx = 1\ny = 2\n```"
    assert trim(f"{fence}\n\n" + "And then some more words. " * 20, 40, estimate).startswith(fence)


def test_nothing_of_a_fence_alone_is_shown() -> None:
    assert trim("```\n" + "x = 1\n" * 50 + "```", 20, estimate) == ""


@pytest.mark.parametrize("limit", [0, -3])
def test_no_room_gives_no_text(limit: int) -> None:
    assert trim("words", limit, estimate) == ""


bodies = st.lists(
    st.sampled_from(
        ["One word. ", "more ", "\n", "\n\n", "```\n", "```", "~~~", "é", "e\u0301", "👩‍💻", "한국", "中文。"]
    ),
    max_size=40,
).map("".join)


@given(bodies, st.integers(0, 60))
def test_what_is_kept_is_a_beginning_that_fits_and_parts_nothing(text: str, limit: int) -> None:
    kept = trim(text, limit, estimate)
    assert text.startswith(kept)
    assert estimate(kept) <= limit
    ends = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    assert len(kept) in ends
