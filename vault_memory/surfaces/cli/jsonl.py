"""Memories from JSON lines: all are read and checked before any is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import BinaryIO

from vault_memory.errors import FormatError, VmemError
from vault_memory.model.draft import draft_from

NOTHING = "nothing was written"


def read_memories(stream: BinaryIO, given: Mapping[str, object]) -> list[dict[str, object]]:
    """One mapping a non-blank line, with the fields `given` for all where the line has none of its own.

    Raises `FormatError` with the number of the first bad line.
    """
    memories: list[dict[str, object]] = []
    for number, line in enumerate(stream, start=1):
        if line.strip():
            memory = {**given, **_read(number, line.strip())}
            _check(number, memory)
            memories.append(memory)
    return memories


def _read(number: int, line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line)
    except UnicodeDecodeError as error:
        raise FormatError(f"line {number} is not UTF-8 text", hint=NOTHING) from error
    except json.JSONDecodeError as error:
        raise FormatError(
            f"line {number} is not JSON: {error.msg} (column {error.colno})", hint=NOTHING
        ) from error
    except ValueError as error:
        raise FormatError(f"line {number} holds a number of too many digits", hint=NOTHING) from error
    except RecursionError as error:
        raise FormatError(f"line {number} is nested too deeply", hint=NOTHING) from error
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise FormatError(
            f'line {number} is not an object with a "text"',
            hint=f'each line: {{"text": "…", "title": "…"}}; {NOTHING}',
        )
    return value


def _check(number: int, memory: Mapping[str, object]) -> None:
    fields = {name: value for name, value in memory.items() if name != "text"}
    try:
        draft_from(str(memory["text"]), fields)
    except VmemError as error:
        hint = f"{error.hint}; {NOTHING}" if error.hint else NOTHING
        raise FormatError(f"line {number}: {error.message}", hint=hint) from error
