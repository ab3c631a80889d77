"""Memories from JSON lines: all are read and checked before any is written."""

from __future__ import annotations

import json
from typing import BinaryIO

from vault_memory.errors import FormatError


def read_memories(stream: BinaryIO) -> list[dict[str, object]]:
    """One mapping a non-blank line. Raises `FormatError` with the number of the first bad line."""
    memories: list[dict[str, object]] = []
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise FormatError(f"line {number} is not JSON: {error}", hint="nothing was written") from error
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            raise FormatError(
                f'line {number} is not an object with a "text"',
                hint='each line: {"text": "…", "title": "…"}; nothing was written',
            )
        memories.append(value)
    return memories
