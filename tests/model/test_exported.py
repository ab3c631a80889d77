"""A text that begins with front matter is a note with keys; what can't be read stays text, and is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings

from tests.model.splicing import File, files
from vault_memory.errors import FrontMatterError
from vault_memory.model.draft import draft_from
from vault_memory.model.frontmatter import new_file, parse_memory
from vault_memory.model.memory import Draft, Memory
from vault_memory.model.namespace import VaultPath

NOW = datetime(2026, 11, 29, 10, 15, tzinfo=UTC)
ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"


def written(draft: Draft, *, agent: str | None = None) -> bytes:
    return new_file(draft, memory_id=ID, title=draft.title or "made up", created=NOW, agent=agent)


def read(content: bytes) -> Memory:
    return parse_memory(VaultPath("notes/a.md"), content, zone=UTC)


def test_the_lines_stay_and_only_what_vmem_knows_better_is_set() -> None:
    text = (
        "---\nid: old # c\ntitle: A note\ntags: [a, b]   # mine\nup: '[[Home]]'\nmap: {a: 1}\n"
        "source_agent: someone\n---\n\nThe text.\n\n"
    )
    assert written(draft_from(text, {})).decode() == (
        f"---\nid: \"{ID}\" # c\ntitle: A note\ntags: [a, b]   # mine\nup: '[[Home]]'\nmap: {{a: 1}}\n"
        "created: 2026-11-29T10:15:00Z\n---\nThe text.\n"
    )


def test_what_the_caller_gives_wins() -> None:
    text = "---\ntitle: Old\ntags: [a]\nimportance: 0.1\nexpires: 2020-01-01\nmine: x\n---\nText."
    draft = draft_from(
        text, {"title": "New", "tags": ["b"], "importance": 0.9, "ttl": "30d", "extra": {"mine": "y"}}
    )
    memory = read(written(draft, agent="akashi"))
    assert (memory.title, memory.tags, memory.importance) == ("New", ("b",), 0.9)
    assert memory.front["mine"] == "y"
    assert memory.source_agent == "akashi"
    assert "expires" not in memory.front
    assert memory.expires == datetime(2026, 12, 29, 10, 15, tzinfo=UTC)
    assert memory.body == "Text.\n"


@pytest.mark.parametrize(
    ("stands", "created"),
    [("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)), ("{{date}}", NOW), ("soon", NOW), ("", NOW)],
)
def test_its_own_created_stays_where_it_can_be_read(stands: str, created: datetime) -> None:
    assert read(written(draft_from(f"---\ncreated: {stands}\n---\nx", {}))).created == created


@pytest.mark.parametrize(
    "text",
    [
        "---\r\ntitle: T\r\n---\r\nText.\r\n",
        "\ufeff---\ntitle: T\n---\nText.",
        "---\ntitle: T\n...\nText.\n\n",
    ],
)
def test_line_ends_a_mark_and_dots_make_no_difference(text: str) -> None:
    content = written(draft_from(text, {}))
    assert content.startswith(b"---\ntitle: T\n")
    assert content.endswith(b"---\nText.\n")


def test_a_note_of_keys_alone_has_no_text() -> None:
    draft = draft_from("---\ntitle: T\n---", {})
    assert (draft.title, draft.text) == ("T", "")
    assert written(draft).endswith(b"---\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ntitle: Plan: two\n---\nText.", "line 2: not valid YAML: ':' in an unquoted value"),
        ("---\ntitle: open\nText.", "line 1: opened by '---' and never closed"),
        ("---\n{a: 1}\n---\nText.", "line 2: the keys stand inside '{ }'"),
        ("---\nid: a\nID: b\n---\nText.", "line 3: the key 'id' stands there 2 times"),
        ("---\na: " + "[" * 80 + "]" * 80 + "\n---\nText.", "line 2: too big to read"),
    ],
)
def test_what_cant_be_taken_stays_text_and_is_told(text: str, reason: str) -> None:
    draft = draft_from(text, {})
    assert (draft.text, draft.header) == (text, None)
    [notice] = draft.notices
    assert notice.startswith("the text begins like front matter, and stays text: ")
    assert reason in notice
    assert read(written(draft)).body == f"{text}\n"


@pytest.mark.parametrize(
    "text",
    ["---\n\nA rule, and text.", "---\nProse between rules.\n---\nText.", "---\n- a\n---\nText.",
     "----\na: b\n---\n", "---\n---\nText.", "\n---\na: b\n---\n", "+++\na = 1\n+++\n",
     '{"a": 1}\n', "--- a: b\n---\n"],
)  # fmt: skip
def test_what_only_looks_like_it_stays_text_without_a_word(text: str) -> None:
    draft = draft_from(text, {})
    assert (draft.text, draft.header, draft.notices) == (text, None, ())


@settings(max_examples=500)
@given(files())
def test_no_key_and_no_line_of_any_note_is_lost(file: File) -> None:
    text = file.render().decode("utf-8", "replace")
    draft = draft_from(text, {})
    if draft.header is None:
        assert draft.notices or not any(piece.key for piece in file.pieces)
        return
    try:
        content = written(draft)
    except FrontMatterError as error:
        assert error.reason  # noqa: PT017 — either outcome is right, silence about it is not
        return
    before, after = read(text.encode()), read(content)
    ours = {"id", "title", "created", "source_agent"}
    assert {key: value for key, value in after.front.items() if key not in ours} == {
        key: value for key, value in before.front.items() if key not in ours
    }
    assert after.body.strip("\n") == before.body.strip("\n")
