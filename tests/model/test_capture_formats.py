"""Transcripts of each client are read into turns, and whatever else stands in them is passed over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import UsageError
from vault_memory.model.capture.formats import RECORDS, format_of, parse_format
from vault_memory.model.capture.geminichat import as_lines, is_document
from vault_memory.model.capture.plaintext import turns_of
from vault_memory.model.capture.turn import Role

CLAUDE: tuple[dict[str, Any], ...] = (
    {"type": "summary", "summary": "Fixing the cache", "leafUuid": "1"},
    {"type": "user", "sessionId": "s1", "isMeta": True, "message": {"role": "user", "content": "Caveat: …"}},
    {"type": "user", "sessionId": "s1", "timestamp": "t1", "message": {"role": "user", "content": "hello"}},
    {
        "type": "assistant", "sessionId": "s1", "message": {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "a word"},
            {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}}]},
    },
    {
        "type": "user", "sessionId": "s1", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "a.py"}]}]},
    },
    {"type": "assistant", "isSidechain": True, "message": {"role": "assistant", "content": "aside"}},
    {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "told again"}},
)  # fmt: skip
CODEX: tuple[dict[str, Any], ...] = (
    {"timestamp": "t", "type": "session_meta", "payload": {"id": "c1", "cwd": "/x"}},
    {"type": "turn_context", "payload": {"model": "m"}},
    {"timestamp": "t1", "type": "response_item", "payload": {
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}},
    {"type": "event_msg", "payload": {"type": "user_message", "message": "hello"}},
    {"type": "response_item", "payload": {"type": "reasoning", "summary": []}},
    {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": "{}"}},
    {"type": "response_item", "payload": {"type": "function_call_output", "output": "a.py"}},
    {"type": "response_item", "payload": {
        "type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a word"}]}},
    {"type": "response_item", "payload": {
        "type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be good"}]}},
)  # fmt: skip
GEMINI = {
    "sessionId": "g1", "projectHash": "h", "startTime": "t", "lastUpdated": "t9",
    "messages": [
        {"id": "1", "type": "user", "timestamp": "t1", "content": "hello"},
        {"id": "2", "type": "info", "content": "an update is there"},
        {"id": "3", "type": "gemini", "content": [{"text": "a word"}], "toolCalls": [], "tokens": {"x": 1}},
    ],
}  # fmt: skip


def said(form: str, records: tuple[dict[str, Any], ...]) -> list[tuple[Role, str, int]]:
    row = RECORDS[form]
    found = [turn for line, record in enumerate(records, start=1) for turn in row.turns(record, line)]
    return [(turn.role, turn.text, turn.line) for turn in found]


def test_claude_code_leaves_what_somebody_said_and_what_tools_answered() -> None:
    assert said("claude-code", CLAUDE) == [
        (Role.USER, "hello", 3), (Role.ASSISTANT, "a word", 4), (Role.TOOL, "a.py", 5),
    ]  # fmt: skip


def test_codex_leaves_each_word_once_with_an_envelope_and_without() -> None:
    words = [(Role.USER, "hello"), (Role.TOOL, "a.py"), (Role.ASSISTANT, "a word")]
    assert [one[:2] for one in said("codex", CODEX)] == words
    older = tuple(one["payload"] for one in CODEX if one["type"] == "response_item")
    assert [one[:2] for one in said("codex", older)] == words


def test_a_document_of_gemini_becomes_lines_that_stay_when_it_goes_on() -> None:
    assert is_document(GEMINI)
    lines = as_lines(GEMINI)
    messages = [*GEMINI["messages"], {"id": "4", "type": "user", "content": "more"}]
    later = {**GEMINI, "lastUpdated": "t12", "messages": messages}
    assert as_lines(later).startswith(lines)
    records = tuple(json.loads(line) for line in lines.splitlines())
    assert said("gemini", records) == [(Role.USER, "hello", 2), (Role.ASSISTANT, "a word", 4)]


def test_plain_text_has_turns_by_names_before_a_colon() -> None:
    text = "A talk\n\nUser: hello\nthere\n**Assistant:** a word\n## Human: and\nTool: a.py"
    found = list(turns_of(enumerate(text.split("\n"), start=1)))
    assert [(one.role, one.text, one.line) for one in found] == [
        (Role.USER, "hello\nthere", 3), (Role.ASSISTANT, "a word", 5), (Role.USER, "and", 6),
        (Role.TOOL, "a.py", 7),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "records"), [("claude-code", CLAUDE), ("codex", CODEX), ("gemini", GEMINI["messages"])]
)
def test_a_form_is_known_by_its_first_records(form: str, records: Any) -> None:
    assert format_of(records, ()) == form


def test_each_form_names_its_session() -> None:
    assert [RECORDS["claude-code"].session(one) for one in CLAUDE[:3]] == [None, "s1", "s1"]
    assert RECORDS["codex"].session(CODEX[0]) == "c1"
    assert RECORDS["gemini"].session(GEMINI) == "g1"


def test_what_is_no_transcript_has_no_form() -> None:
    assert format_of([{"name": "vault-memory"}], ["User: hello"]) is None
    assert format_of([], ["root:x:0:0", "daemon:x:1:1"]) is None
    with pytest.raises(UsageError, match="no form of transcript"):
        parse_format("word")


_KEYS = st.sampled_from(
    ["type", "message", "content", "role", "payload", "text", "output", "sessionId", "id", "x"]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    | st.sampled_from(["user", "assistant", "gemini", "message", "response_item", "text", "tool_result"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(_KEYS, _VALUES, max_size=6))
def test_no_record_is_so_odd_that_reading_it_fails(record: dict[str, Any]) -> None:
    for row in RECORDS.values():
        row.recognises(record)
        assert row.session(record) is None or isinstance(row.session(record), str)
        assert {type(turn.text) for turn in row.turns(record, 1)} <= {str}
