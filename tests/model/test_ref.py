"""A typed name can mean a path, an id, an id's beginning or a title; never a pattern."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import UsageError
from vault_memory.model.ref import parse_ref


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("shared/market/a.md", ("shared/market/a.md",)),
        ("./notes/a", ("notes/a.md",)),
        ("notes/A.MD", ("notes/A.MD",)),
        ("notes/v1.2", ("notes/v1.2.md",)),
        ("notes/a.markdown", ("notes/a.markdown",)),
        ("notes/a.Markdown:9", ("notes/a.Markdown:9.md", "notes/a.Markdown")),
        ("notes/a.md:9", ("notes/a.md:9.md", "notes/a.md")),
        ("notes/a.md#L9", ("notes/a.md#L9.md", "notes/a.md")),
        ("notes/a.md#L9-L12", ("notes/a.md#L9-L12.md", "notes/a.md")),
        ("cafe\u0301", ("cafe\u0301.md", "caf\u00e9.md")),
        ("[a]*", ("[a]*.md",)),
        ("../../outside.md", ()),
        ("/etc/passwd", ()),
        (".git/config", ()),
        ("a/../../b", ()),
        ("....//x", ()),
        ("a\x00b", ()),
        ("\ud800", ()),
    ],
)
def test_a_path_is_literal_and_stays_in_the_vault(text: str, paths: tuple[str, ...]) -> None:
    assert parse_ref(text).paths == paths


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("01K8", "01K8"),
        ("01k8zq", "01K8ZQ"),
        (" 01K8ZQ4T7R3M5N9V2XW6Y0ABCD ", "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"),
        ("01K", None),
        ("01K8ZQ4T7R3M5N9V2XW6Y0ABCDE", None),
        ("81K8", None),
        ("note", None),
        ("01K*", None),
        ("01K_", None),
        ("01K%", None),
        ("01KU", None),
        ("01Kß", None),
    ],
)
def test_only_four_characters_or_more_of_a_ulid_begin_an_id(text: str, prefix: str | None) -> None:
    assert parse_ref(text).id_prefix == prefix


def test_the_whole_text_may_be_an_id_of_any_form_or_a_title() -> None:
    ref = parse_ref("  k7: *what?*  ")
    assert (ref.id, ref.title) == ("k7: *what?*", "k7: *what?*")


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_an_empty_name_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_ref(text)


@given(st.text(min_size=1, max_size=30))
def test_any_text_has_a_meaning_inside_the_vault(text: str) -> None:
    if not text.strip():
        return
    ref = parse_ref(text)
    assert ref.title == text.strip()
    for path in ref.paths:
        assert not path.startswith("/")
        assert not {"", ".", ".."} & set(path.split("/"))
        assert path.lower().endswith((".md", ".markdown"))
