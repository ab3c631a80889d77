"""Transcripts of Gemini CLI: one JSON document with a list of messages, or a message a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from vault_memory.model.capture.blocks import text_at, texts_of
from vault_memory.model.capture.turn import Role, Turn

_ROLES = {"user": Role.USER, "gemini": Role.ASSISTANT, "model": Role.ASSISTANT}
_NAMES = ("sessionId", "projectHash")
_KEPT = ("id", "type", "timestamp", "content")
"""What of a message stays as it is once it was said; its tool calls and tokens are filled in later."""


def recognises(record: Mapping[str, Any]) -> bool:
    """Whether a record is one of this client's: the head, or a message."""
    if "projectHash" in record and "sessionId" in record:
        return True
    return str(record.get("type")) in _ROLES and "content" in record and "message" not in record


def session(record: Mapping[str, Any]) -> str | None:
    """The session that a record names."""
    return text_at(record, "sessionId")


def turns(record: Mapping[str, Any], line: int) -> Iterator[Turn]:
    """What was said in a message."""
    role = _ROLES.get(str(record.get("type")))
    if role is None:
        return
    when = text_at(record, "timestamp")
    for text in texts_of(record.get("content"), ("text",)):
        yield Turn(role, text, line, when)


def is_document(record: object) -> bool:
    """Whether the whole file is one conversation of this client."""
    return isinstance(record, dict) and isinstance(record.get("messages"), list) and recognises(record)


def as_lines(document: Mapping[str, Any]) -> bytes:
    """The conversation as a record a line, head first. The client writes the document anew with each
    message; in this form what was said before stays the same bytes."""
    head = {name: document[name] for name in _NAMES if name in document}
    said = (one for one in document["messages"] if isinstance(one, dict))
    records = [head, *({name: one[name] for name in _KEPT if name in one} for one in said)]
    lines = (json.dumps(one, ensure_ascii=False, sort_keys=True) for one in records)
    return b"".join(line.encode("utf-8", "replace") + b"\n" for line in lines)
