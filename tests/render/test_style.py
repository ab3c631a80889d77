"""Widths, counts and harmless text for terminals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from vault_memory.render.style import cells, counted, filled, harmless, styled


@pytest.mark.parametrize("text", ["plain", "重启", "naïve", "nai\u0308ve", "한국어", "ﾊﾝｶｸ", "日本 and more"])
def test_widths_are_those_of_a_terminal(text: str) -> None:
    assert cells(text) == cell_len(text)
    assert cells(filled(text, 30)) == 30


@given(st.text())
def test_harmless_text_is_one_line_without_a_character_that_steers(text: str) -> None:
    shown = harmless(text)
    assert len(shown.splitlines()) <= 1
    assert not any(one < " " or "\x7f" <= one <= "\x9f" or "\u202a" <= one <= "\u202e" for one in shown)
    assert len(shown) == len(text)


def test_an_emoji_of_several_parts_stays_one() -> None:
    assert harmless("👩\u200d💻 at work") == "👩\u200d💻 at work"


def test_numbers_come_with_their_noun() -> None:
    assert [counted(0, "hit"), counted(1, "memory", "memories"), counted(2_000, "memory", "memories")] == [
        "0 hits", "1 memory", "2,000 memories",
    ]  # fmt: skip


def test_style_is_put_around_text_only_where_colour_is_wanted() -> None:
    assert styled("x", "red", colour=False) == "x"
    assert styled("x", "red", colour=True) == "\x1b[31mx\x1b[0m"
    assert styled("", "red", colour=True) == ""
