"""Changes shown word by word: what stayed and came is the new text, what stayed and went the old one."""

from __future__ import annotations

from datetime import UTC

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vault_memory.model.comparison import compare
from vault_memory.model.namespace import VaultPath
from vault_memory.model.worddiff import GONE, KEPT, NEW, Piece, hunks


def changed(old: str, new: str) -> list[list[tuple[str, str]]]:
    lines = [*(f"-{line}" for line in old.split("\n")), *(f"+{line}" for line in new.split("\n"))]
    [hunk] = hunks(["@@ -1 +1 @@", *lines])
    return [[(piece.mark, piece.text) for piece in line] for line in hunk.lines]


def test_a_word_that_changed_is_shown_within_its_line() -> None:
    assert changed("RSI above 70 on NVDA.", "RSI above 80 on NVDA.") == [
        [("=", "RSI above "), ("-", "70"), ("+", "80"), ("=", " on NVDA.")]
    ]


def test_a_script_without_spaces_is_shown_by_its_characters() -> None:
    assert changed("生产环境的端口是5432。", "测试环境的端口是5432。") == [
        [("-", "生产"), ("+", "测试"), ("=", "环境的端口是5432。")]
    ]


def test_a_number_is_one_word() -> None:
    assert changed("at 1.10 percent", "at 1.20 percent") == [
        [("=", "at "), ("-", "1.10"), ("+", "1.20"), ("=", " percent")]
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("totally different", "nothing in common whatsoever"),
        ("only white space differs", "only white  space\ndiffers"),
    ],
)
def test_lines_without_a_common_word_or_with_other_blanks_alone_are_shown_whole(old: str, new: str) -> None:
    assert changed(old, new) == [
        *([(GONE, line)] for line in old.split("\n")),
        *([(NEW, line)] for line in new.split("\n")),
    ]


WORDS = st.lists(st.sampled_from(["one", "two", "3.5", ",", "\n", "\n\n", " ", "  ", "日本"]), max_size=30)


@given(WORDS, WORDS)
def test_what_stayed_and_came_is_the_new_text_and_the_rest_the_old_ones_words(
    old: list[str], new: list[str]
) -> None:
    before, after = "".join(old), "".join(new)
    differences = compare({VaultPath("a.md"): (before.encode(), after.encode())}, zone=UTC)
    assume(differences)
    [one] = differences
    found = hunks(one.lines)
    lines = [line for hunk in found for line in hunk.lines]
    shown = [
        "".join(piece.text for piece in line if piece.mark != GONE)
        for line in lines
        if not (len(line) == 1 and line[0].mark == GONE)
    ]
    # Hunks leave out what is far from any change, and that is the same on both sides.
    assert is_within(shown, after.split("\n"))
    for hunk in found:
        old_words = "".join(piece.text for line in hunk.lines for piece in line if piece.mark in (GONE, KEPT))
        assert "".join(old_words.split()) in "".join(before.split())


def is_within(some: list[str], every: list[str]) -> bool:
    rest = iter(every)
    return all(line in rest for line in some)


def test_a_text_of_very_many_equal_words_is_not_held_against_another_word_by_word() -> None:
    long = "a b " * 5_000
    assert changed(f"x {long}", f"y {long}") == [[(GONE, f"x {long}")], [(NEW, f"y {long}")]]


def test_no_changes_have_no_hunks() -> None:
    assert hunks([]) == ()
    assert hunks(["@@ -0,0 +1 @@", "+one"])[0].lines == ((Piece(NEW, "one"),),)
