"""What callers give is checked by the same table that reads files and writes the docs."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import UnsafePathError, ValueFormatError
from vault_memory.model import codes, fields
from vault_memory.model.fields import (
    FIELDS,
    parse_body,
    parse_expires,
    parse_importance,
    parse_key,
    parse_kind,
    parse_tag,
    parse_tags,
    parse_title,
    parse_value,
)
from vault_memory.model.kinds import KINDS, default_importance, half_life_days

KNOWN = (
    "id title importance tags ttl expires source_agent kind pinned created updated aliases links"
    " supersedes notify"
).split()


def test_the_table_holds_the_known_keys_and_each_tells_what_it_takes() -> None:
    assert list(FIELDS) == KNOWN
    for row in FIELDS.values():
        assert row.form
        assert row.default
        assert row.doc
        assert row.code in codes.CODES
        assert f"| `{row.name}` | {row.form} |" in fields.docs_table()


def test_every_code_has_a_name_of_its_own_and_a_meaning() -> None:
    assert len({row.name for row in codes.CODES.values()}) == len(codes.CODES)
    for row in codes.CODES.values():
        assert row.meaning.endswith(".")
        assert f"| {row.code} | {row.name} |" in codes.docs_table()


def test_importance_is_a_number_from_0_to_1() -> None:
    assert [parse_importance(text) for text in ("0", "1", " 0.9 ", "-0")] == [0, 1, 0.9, 0]
    for text in ("", "1.1", "-0.1", "nan", "inf", "8/10", "high", "0x1", "1e999"):
        with pytest.raises(ValueFormatError) as caught:
            parse_importance(text)
        assert caught.value.expected == "a number from 0 to 1"


def test_a_tag_is_one_word_without_its_hash() -> None:
    assert [parse_tag(text) for text in ("#alpha", " proj/sub ", "設定", "c++", "cafe\u0301")] == [
        "alpha", "proj/sub", "設定", "c++", "caf\u00e9",
    ]  # fmt: skip
    for text in ("", "#", "a b", "a,b", "a\nb", "a\x00", "x" * 101, "a\u3000b", "\ud800"):
        with pytest.raises(ValueFormatError):
            parse_tag(text)
    assert parse_tags("a, #b,,a") == ("a", "b")


def test_a_title_is_one_line_of_any_signs() -> None:
    assert parse_title("  Two\n lines\r\n") == "Two lines"
    assert parse_title('what? <yes> "no" | 🚀: #1') == 'what? <yes> "no" | 🚀: #1'
    assert parse_title("x" * 500) == "x" * 500
    for text in ("", "  ", "\n", "x" * 501, "a\x00b", "a\x1b[31m", "\ud83d"):
        with pytest.raises(ValueFormatError):
            parse_title(text)


def test_a_kind_is_a_word_and_need_not_be_in_the_table() -> None:
    assert [parse_kind(text) for text in ("Decision", "my-kind_2", "事実")] == [
        "decision",
        "my-kind_2",
        "事実",
    ]
    for text in ("", "two words", "-x", "a/b", "x" * 65):
        with pytest.raises(ValueFormatError):
            parse_kind(text)


def test_kinds_give_importance_and_half_life() -> None:
    assert default_importance("decision") == KINDS["decision"].importance
    assert (default_importance(None), default_importance("own")) == (0.5, 0.5)
    assert (half_life_days("Episodic"), half_life_days(None), half_life_days("own")) == (14, 90, 90)
    assert half_life_days("constraint") == float("inf")
    for kind in KINDS.values():
        assert 0 <= kind.importance <= 1
        assert parse_kind(kind.name) == kind.name


def test_expires_keeps_a_day_a_day() -> None:
    assert parse_expires(" 2026-05-19 ") == "2026-05-19"
    assert parse_expires("never") is None
    assert parse_expires("13.08.2026") == "13.08.2026"
    with pytest.raises(ValueFormatError, match="either way"):
        parse_expires("03/04/2026")


def test_a_body_is_any_text_that_a_file_can_hold() -> None:
    assert parse_body("a\r\nb\rc\n") == "a\nb\nc\n"
    for text in ("a\x00b", "\ud800"):
        with pytest.raises(ValueFormatError):
            parse_body(text)


def test_a_key_is_a_word() -> None:
    assert [parse_key(text) for text in ("rating", "my-key", "_x.y", "größe")] == [
        "rating",
        "my-key",
        "_x.y",
        "größe",
    ]
    for text in ("", "a b", "a:", "1a", "-a", "a\nb", "x" * 101, "#a"):
        with pytest.raises(ValueFormatError):
            parse_key(text)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("importance", "0.4", 0.4),
        ("Importance", "0.4", 0.4),
        ("pinned", "yes", True),
        ("tags", "a, b", ("a", "b")),
        ("ttl", "30 days", "30d"),
        ("ttl", "never", None),
        ("expires", "2026-05-19", "2026-05-19"),
        ("updated", "2026-05-19", datetime(2026, 5, 19, tzinfo=UTC)),
        ("aliases", "One, Two words", ("One", "Two words")),
        ("id", " x ", "x"),
        ("source_agent", "akashi", "akashi"),
        ("rating", "5", "5"),
        ("note", "two\nlines", "two\nlines"),
    ],
)
def test_a_key_is_set_in_its_own_form_and_an_unknown_one_as_text(key: str, text: str, value: object) -> None:
    assert parse_value(key, text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [("importance", "9"), ("created", "soon"), ("pinned", "maybe"), ("a b", "x"), ("x", "\x00")],
)
def test_a_wrong_value_is_refused_with_what_the_key_takes(key: str, text: str) -> None:
    with pytest.raises(ValueFormatError) as caught:
        parse_value(key, text)
    assert caught.value.hint


def test_an_agent_is_checked_as_one() -> None:
    with pytest.raises(UnsafePathError):
        parse_value("source_agent", "../x")


@given(st.sampled_from([*KNOWN, "other"]), st.text(max_size=30))
def test_no_text_makes_a_parser_fail_in_any_other_way(key: str, text: str) -> None:
    with suppress(ValueFormatError, UnsafePathError):
        parse_value(key, text)
