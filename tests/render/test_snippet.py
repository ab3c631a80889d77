"""The line of text under a hit: what was asked for is in it and marked, and it fits the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.render.snippet import snippet
from vault_memory.render.style import cells

LONG = "one two three " * 60


def plain(text: str, query: str, width: int = 90) -> str:
    return snippet(text, query, width, colour=False)


def test_words_that_match_are_marked_without_the_signs_around_them() -> None:
    assert (
        plain("Never without a stop-loss; (stops) help.", "stop")
        == "Never without a ‹stop-loss›; (‹stops›) help."
    )


def test_the_part_around_the_first_match_is_shown() -> None:
    shown = plain(f"{LONG} the needle is here {LONG}", "needle")
    assert "‹needle›" in shown
    assert (shown[0], shown[-1]) == ("…", "…")


def test_a_text_without_a_match_is_shown_from_its_beginning() -> None:
    assert plain(LONG, "needle").startswith("one two three one")


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("修改行情订阅配置后必须重启，否则不会生效。", "重启", "必须‹重启›，"),
        ("甲乙" * 200 + "重启之后" + "丙丁" * 200, "重启", "‹重启›之后"),
        (
            "発表から十分間でスプレッドが通常の六倍に広がり、逆指値は想定より悪い価格で約定した。",
            "逆指値",
            "‹逆指値›は",
        ),
    ],
)
def test_in_a_clause_without_spaces_what_was_typed_is_marked(text: str, query: str, found: str) -> None:
    assert found in plain(text, query)


def test_a_long_clause_behind_the_match_fills_the_line() -> None:
    shown = plain("重启 worker " + "热加载只更新日志级别" * 20, "重启")
    assert shown.startswith("‹重启› worker 热加载只更新")
    assert shown.endswith("…")
    assert cells(shown) > 60


def test_control_characters_come_out_as_blanks() -> None:
    assert plain("red \x1b[31m and\x07bell", "red") == "‹red› [31m and bell"


@given(st.text(), st.text(min_size=1), st.integers(20, 120))
def test_any_text_gives_one_line_of_about_the_width(text: str, query: str, width: int) -> None:
    shown = plain(text, query, width)
    assert all(one.isprintable() or one in "\u200c\u200d" for one in shown)
    longest = max((cells(word) for word in shown.replace("‹", "").replace("›", "").split()), default=0)
    assert cells(shown.replace("‹", "").replace("›", "")) <= max(width, longest) + 4
