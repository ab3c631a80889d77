"""Texts come into a normal form of Unicode as Python has it, long ones stretch by stretch."""

from __future__ import annotations

import sys
import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.model.normalform import Form, _begins, normalized

FORMS = get_args(Form)
PARTS = [
    "a",
    "é",
    "e\u0301",
    "u\u0308\u0304",
    "\u0323\u0301",
    "ﬁ",
    "ｶﾞ",
    "한",
    "\u1112\u1161\u11ab",
    "ក្រ",
    "漢",
    " ",
    "\n",
    "ऩ",
]


@pytest.mark.parametrize("form", FORMS)
@given(parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=40), times=st.integers(1, 120))
def test_a_text_of_any_length_is_as_python_has_it(form: Form, parts: list[str], times: int) -> None:
    text = "".join(parts) * times
    marks = sum(1 for one in parts if unicodedata.combining(one[0]))
    if marks == len(parts):  # nothing but marks: put in order by stretches
        text += "a"
        assert len(normalized(form, text)) == len(unicodedata.normalize(form, text))
    else:
        assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_a_place_where_a_text_is_parted_melts_nothing_together(form: Form) -> None:
    for length in range(240, 260):
        for piece in ("e\u0301", "\u1112\u1161\u11ab", "ｶﾞ", "\u0995\u09c7\u09be"):
            text = "é" * length + piece * 600
            assert normalized(form, text) == unicodedata.normalize(form, text)


def test_nothing_that_melts_into_what_stands_before_it_begins_a_stretch() -> None:
    """Whatever Unicode this Python has: U+16D67 melts since the sixteenth."""
    parts = (unicodedata.normalize("NFD", chr(code)) for code in range(sys.maxunicode + 1))
    composed = (one for one in parts if len(one) > 1 and len(unicodedata.normalize("NFC", one)) < len(one))
    melting = {character for one in composed for character in one[1:]} | {"\U00016d67"}
    assert len(melting) > 80
    assert not any(map(_begins, melting))


@pytest.mark.parametrize("form", FORMS)
def test_of_marks_without_end_none_is_lost(form: Form) -> None:
    text = "a" + "\u0323\u0301" * 2_000
    assert sorted(normalized("NFD", normalized(form, text))) == sorted(text)
