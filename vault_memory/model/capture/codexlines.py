"""Transcripts of Codex (`rollout-*.jsonl`): a JSON record a line, the older ones without an envelope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vault_memory.model.capture.blocks import text_at, texts_of
from vault_memory.model.capture.turn import Role, Turn

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_ENVELOPES = frozenset({"session_meta", "response_item", "turn_context", "event_msg", "compacted"})
_ITEMS = frozenset({"message", "function_call", "function_call_output", "reasoning", "local_shell_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_TEXTS = frozenset({"input_text", "output_text", "text"})


def recognises(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of this client's."""
    kind = str(record.get("type"))
    if kind in _ENVELOPES:
        return isinstance(record.get("payload"), dict)
    if kind in _ITEMS:
        return kind != "message" or record.get("role") is not None
    return record.get("record_type") == "state" or {"id", "timestamp", "instructions"} <= record.keys()


def session(record: Mapping[str, Any]) -> str | None:
    """The session that a record names."""
    kind = record.get("type")
    meta = record.get("payload") if kind == "session_meta" else record if kind is None else None
    return text_at(meta, "id") if isinstance(meta, dict) else None


def turns(record: Mapping[str, Any], line: int) -> Iterator[Turn]:
    """What was said in a record; `event_msg` repeats it for the screen and is left out."""
    item = record.get("payload") if record.get("type") == "response_item" else record
    if not isinstance(item, dict):
        return
    when = text_at(record, "timestamp")
    role = _ROLES.get(str(item.get("role")))
    if item.get("type") == "message" and role is not None:
        for text in texts_of(item.get("content"), _TEXTS):
            yield Turn(role, text, line, when)
    elif str(item.get("type")) in _RESULTS:
        for text in texts_of(item.get("output"), _TEXTS):
            yield Turn(Role.TOOL, text, line, when)
