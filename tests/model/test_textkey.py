"""Two texts that say the same have the same key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.textkey import text_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rotate the key.", "rotate  the\n key"),
        ("Cafe\u0301 at noon", "CAF\u00c9 at noon!"),
        ("\uff76\uff9e\uff7d", "\u30ac\u30b9"),
        ("ＲＳＩ ７０", "RSI 70"),
        ("straße", "STRASSE"),
        ("done ...", "Done"),
        ("終わり。", "終わり"),
    ],
)
def test_case_form_spacing_and_the_final_stop_make_no_difference(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "ab"),
        ("a.b", "ab"),
        ("-12 %", "12 %"),
        ("?", "!"),
        ("a", ""),
        ("C+", "C"),
        ("written in C", "written in C#"),
        ("grew by 12", "grew by 12%"),
        ("10\u2076", "106"),
        ("We ship.", "We ship?"),
        ("use a", "use a\\"),
        ("glob *", "glob"),
        ("see a/", "see a"),
    ],
)
def test_what_says_something_else_has_another_key(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)


@given(st.text(max_size=40))
def test_a_key_is_a_sha256_and_ignores_space_around(text: str) -> None:
    assert len(text_key(text)) == 64
    assert text_key(f" {text}\n") == text_key(text)
