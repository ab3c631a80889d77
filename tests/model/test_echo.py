"""A text that another memory has already shown is told; a memory never repeats itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.test_near import LONG, TEXT, WORDS
from vault_memory.model.echo import Echoes
from vault_memory.model.near import near_duplicates

JAPANESE = (
    "新しい設定ファイルは直下に置きます古いものは消してください必ず再起動すること確認は担当者が行う" * 2
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Uses port 8080", "uses  PORT 8080."),
        (TEXT, f"{TEXT}."),
        (LONG + " and so it is", LONG + " and so it was"),
        (JAPANESE, JAPANESE.replace("担当者", "担当", 1)),
    ],
)
def test_near_identical_texts_of_two_memories_are_told(first: str, second: str) -> None:
    echoes = Echoes()
    assert echoes.of(first, 0) is None
    assert echoes.of(second, 1) == 0
    assert echoes.of(second, 0) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Uses port 8080", "Uses port 9090"),
        (f"{LONG} on port 8080", f"{LONG} on port 9090"),
        (f"{LONG} and restarts", f"{LONG} and never restarts"),
        (JAPANESE, "サーバーを再起動する手順は別の文書に書いてあります"),
    ],
)
def test_what_says_something_else_is_no_echo(first: str, second: str) -> None:
    echoes = Echoes()
    assert echoes.of(first, 0) is None
    assert echoes.of(second, 1) is None


def test_empty_texts_repeat_nothing() -> None:
    echoes = Echoes()
    assert [echoes.of(text, owner) for owner, text in enumerate(["", " ", "\n", ""])] == [None] * 4


def test_a_third_copy_points_to_the_one_that_is_shown() -> None:
    echoes = Echoes()
    assert [echoes.of(text, owner) for owner, text in enumerate([TEXT, TEXT, f"{TEXT} "])] == [None, 0, 0]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join), max_size=8))
def test_each_text_of_a_memory_of_its_own_is_told_as_near_duplicates_tells_it(texts: list[str]) -> None:
    echoes = Echoes()
    told = {at: first for at, text in enumerate(texts) if (first := echoes.of(text, at)) is not None}
    assert told == near_duplicates(texts)
