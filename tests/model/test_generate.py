"""A new file says what it was given, to our reader and to every other reader of YAML."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import frontmatter
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vault_memory.errors import FrontMatterError, ValueFormatError
from vault_memory.model.fields import FIELDS, parse_title
from vault_memory.model.frontmatter import new_file, parse_memory
from vault_memory.model.memory import Draft
from vault_memory.model.moments import read_moment
from vault_memory.model.namespace import VaultPath
from vault_memory.model.posts import VaultHandler
from vault_memory.model.yamlwrite import scalar

ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
CREATED = datetime(2026, 11, 29, 10, 15, tzinfo=UTC)
PATH = VaultPath("shared/market/x.md")


def make(draft: Draft, title: str | None = None, agent: str | None = "akashi") -> bytes:
    return new_file(draft, memory_id=ID, title=title, created=CREATED, agent=agent)


def header_of(content: bytes) -> str:
    return content.decode().split("---\n")[1]


def test_a_file_has_exactly_the_documented_form() -> None:
    draft = Draft(
        "RSI > 70 on NVDA was followed by −12 %.",
        importance=0.9,
        tags=("trading", "nvda"),
        ttl="90d",
        kind="evidence",
    )
    assert make(draft, "NVDA RSI rule").decode() == (
        f'---\nid: "{ID}"\ntitle: NVDA RSI rule\nimportance: 0.9\ntags: [trading, nvda]\nttl: 90d\n'
        "source_agent: akashi\nkind: evidence\ncreated: 2026-11-29T10:15:00Z\n---\n"
        "RSI > 70 on NVDA was followed by −12 %.\n"
    )


def test_what_was_not_given_is_not_written() -> None:
    assert (
        make(Draft("x"), agent=None).decode() == f'---\nid: "{ID}"\ncreated: 2026-11-29T10:15:00Z\n---\nx\n'
    )


def test_every_value_is_read_back() -> None:
    draft = Draft(
        "Text",
        importance=1.0,
        tags=("a", "c++", "#x:", "yes"),
        ttl="P30D",
        expires="2099-01-01",
        kind="decision",
        pinned=True,
        links=("market-regime", "[[a]]"),
        extra={"rating": "5", "on": "push", "content": "kept", "x": "a\nb: c"},
    )
    memory = parse_memory(PATH, make(draft, "T"), zone=UTC)
    assert memory.findings == ()
    assert (memory.id, memory.title, memory.importance, memory.kind) == (ID, "T", 1.0, "decision")
    assert memory.tags == ("a", "c++", "x:", "yes")
    assert (memory.pinned, memory.created, memory.source_agent) == (True, CREATED, "akashi")
    assert [link.target for link in memory.links] == ["market-regime", "a"]
    assert {key: memory.front[key] for key in draft.extra} == dict(draft.extra)
    assert (memory.front["ttl"], memory.front["expires"]) == ("P30D", "2099-01-01")
    assert "expires: 2099-01-01\n" in header_of(make(draft))


def test_a_known_key_among_the_further_ones_gets_its_own_form() -> None:
    content = make(Draft("x", extra={"aliases": "One, Two", "Updated": "2026-05-19"}))
    assert "aliases: [One, Two]\nupdated: 2026-05-19T00:00:00Z\n" in header_of(content)


@pytest.mark.parametrize(
    "extra", [{"id": "x"}, {"Created": "2026-01-01"}, {"a": "1", "A": "2"}, {"importance": "9"}]
)
def test_no_key_is_written_twice_or_wrongly(extra: dict[str, str]) -> None:
    with pytest.raises(ValueFormatError):
        make(Draft("x", importance=0.5 if "importance" not in extra else None, extra=extra))


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_text_that_no_file_can_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueFormatError):
        make(Draft(text))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("NVDA RSI rule", "NVDA RSI rule"),
        ("90d", "90d"),
        ("C++", "C++"),
        ("設定", "設定"),
        ("🚀 launch", "🚀 launch"),
        ("Plan: phase two", '"Plan: phase two"'),
        ("a #b", '"a #b"'),
        ("a#b:c", "a#b:c"),
        ("*draft*", '"*draft*"'),
        ("", '""'),
        ("no", '"no"'),
        ("Null", '"Null"'),
        ("1.10", '"1.10"'),
        ("0123", '"0123"'),
        ("16:9", '"16:9"'),
        ("1_000", '"1_000"'),
        ("1,000", '"1,000"'),
        ("12e3", '"12e3"'),
        ("2026-05-01", '"2026-05-01"'),
        ("say \"hi\" \\ 'x'", "say \"hi\" \\ 'x'"),
        ('"hi"', '"\\"hi\\""'),
        ("a\nb\tc\x85\u2028\x1b", '"a\\nb\\tc\\x85\\u2028\\x1B"'),
        (" x ", '" x "'),
        ("---", '"---"'),
        ("ends:", '"ends:"'),
    ],
)
def test_a_text_is_quoted_only_where_it_must_be(text: str, written: str) -> None:
    assert scalar(text) == written
    assert yaml.safe_load(f"k: {written}") == {"k": text}


TEXTS = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"[-+]?[0-9._:,xobe]{1,8}", fullmatch=True),
    st.sampled_from(
        ["yes", "OFF", "~", "=", "<<", ".inf", "NaN", "0x", "2026-1-1", "1e3", "? a", "- a", "!x", "&a", "%"]
    ),
    st.lists(
        st.sampled_from(["a", ":", " ", "#", "'", '"', "\\", "[", ",", "{", "-", "\n", "é", "\u2028", "🚀"]),
        max_size=8,
    ).map("".join),
)


@settings(max_examples=400)
@given(TEXTS)
@example("\ufffe")
@example("\x7f")
def test_every_yaml_reader_gets_the_text_that_was_meant(text: str) -> None:
    for document, found in ((f"k: {scalar(text)}\n", "k"), (f"[{scalar(text, flow=True)}, b]\n", 0)):
        for loader in (yaml.SafeLoader, yaml.CSafeLoader, yaml.BaseLoader):
            assert yaml.load(document, Loader=loader)[found] == text


@settings(max_examples=300)
@given(
    title=TEXTS,
    importance=st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.0, 1.0, 1e-7, 0.1])),
    tags=st.lists(
        st.text("aä#:[]{}'\"-1.", min_size=1, max_size=6).filter(lambda tag: tag.strip("#")),
        unique=True,
        max_size=4,
    ),
    extra=st.dictionaries(st.from_regex(r"[a-z_][a-z0-9_.-]{0,5}", fullmatch=True), TEXTS, max_size=3),
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(["---\n", "title: x\n", "...\n", "\n", "```", "\r", "\ufeff", "# h\n", " "]),
            max_size=8,
        ).map("".join),
    ),
)
def test_what_a_file_was_made_of_is_what_is_read(
    title: str, importance: float | None, tags: list[str], extra: dict[str, str], text: str
) -> None:
    try:
        title = parse_title(title)
    except ValueFormatError:
        title = "T"
    text = text.replace("\x00", "")
    extra = {key: _CONTROL.sub("", value) for key, value in extra.items() if key not in FIELDS}
    content = make(Draft(text, importance=importance, tags=tuple(tags), extra=extra), title)
    memory = parse_memory(PATH, content, zone=UTC)
    assert [finding for finding in memory.findings if finding.code != "VM030"] == []
    assert memory.title == title
    assert memory.importance == (0.5 if importance is None else importance)
    assert memory.tags == tuple(dict.fromkeys(tag.lstrip("#") for tag in tags))
    assert {key: memory.front[key] for key in extra} == extra
    assert memory.body.rstrip("\n") == text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    assert content.endswith(b"\n")
    assert b"\r" not in content
    assert memory.created == read_moment("2026-11-29T10:15:00Z", UTC)


@given(TEXTS)
def test_pyyamls_safe_loader_reads_the_same_title(text: str) -> None:
    try:
        title = parse_title(text)
    except ValueFormatError:
        return
    block = make(Draft("x"), title).decode().removeprefix("---\n").rpartition("\n---\n")[0]
    for loader in (yaml.SafeLoader, yaml.CSafeLoader):
        assert yaml.load(block, Loader=loader)["title"] == title


def test_posts_of_python_frontmatter_are_in_our_format() -> None:
    post = frontmatter.Post("\nBody\n\n", handler=VaultHandler(), title="A: b", tags=["x"])
    assert frontmatter.dumps(post) == '---\ntitle: "A: b"\ntags: [x]\n---\n\nBody\n'
    handler = VaultHandler()
    header, body = handler.split("\ufeff---\r\nversion: 1.10\r\n---\r\n\r\nbody  \r\n")
    assert (handler.load(header), body) == ({"version": "1.10"}, "\nbody  \n")
    with pytest.raises(FrontMatterError):
        handler.load("a: b: c")
    with pytest.raises(ValueError, match="no front matter"):
        handler.split("text")
