"""Transcripts of Claude Code: a JSON record a line, messages with blocks of content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vault_memory.model.capture.blocks import text_at, texts_of
from vault_memory.model.capture.turn import Role, Turn

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_OTHERS = ("summary", "system", "file-history-snapshot", "queue-operation", "attachment", "progress")
_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
"""Marks of records that neither the person nor the agent said: what the client put in, talk of agents among
themselves, a retelling of what stands in the file already."""


def recognises(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of this client's."""
    kind = str(record.get("type"))
    if kind in _ROLES:
        return isinstance(record.get("message"), dict)
    return kind in _OTHERS and ("sessionId" in record or kind in {"summary", "file-history-snapshot"})


def session(record: Mapping[str, Any]) -> str | None:
    """The session that a record names."""
    return text_at(record, "sessionId")


def turns(record: Mapping[str, Any], line: int) -> Iterator[Turn]:
    """What was said in a record: texts, and results of tools; thoughts and calls are nobody's word."""
    role, message = _ROLES.get(str(record.get("type"))), record.get("message")
    if role is None or not isinstance(message, dict) or any(record.get(mark) for mark in _NOT_SAID):
        return
    when, content = text_at(record, "timestamp"), message.get("content")
    for text in texts_of(content, ("text",)):
        yield Turn(role, text, line, when)
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                for text in texts_of(block.get("content"), ("text",)):
                    yield Turn(Role.TOOL, text, line, when)
