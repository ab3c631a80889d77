"""Memories from JSON lines: all are read and checked before any is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from vault_memory.errors import FormatError, VmemError
from vault_memory.model.draft import draft_from
from vault_memory.plugins import scanner

NOTHING = "nothing was written"


def read_memories(stream: BinaryIO, given: Mapping[str, object]) -> dict[int, dict[str, object]]:
    """By its line's number a mapping for each line that is not blank, with the fields `given` for all
    where the line has none of its own.

    Raises `FormatError` with the number of the first bad line.
    """
    memories: dict[int, dict[str, object]] = {}
    for number, line in enumerate(stream, start=1):
        if line.strip():
            memory = {**given, **_read(number, line.strip())}
            _check(number, memory)
            memories[number] = memory
    return memories


@contextmanager
def named_by_line(lines: Sequence[int]) -> Iterator[None]:
    """Let an error about one of several memories name the line that it stood in."""
    try:
        yield
    except VmemError as error:
        if error.item is not None:
            error.message = error.message.removeprefix(f"memory {error.item}: ")
            error.about(f"line {lines[error.item - 1]}", error.item)
            error.hint = f"{error.hint}; {NOTHING}" if error.hint else NOTHING
        raise


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
        if found := scanner("table").scan(json.dumps(memory, ensure_ascii=False)):
            # The message of the other fault would repeat some of it.
            raise FormatError(
                f"line {number} looks like it holds a secret ({found[0][0]})", hint=NOTHING
            ) from None
        hint = f"{error.hint}; {NOTHING}" if error.hint else NOTHING
        raise FormatError(f"line {number}: {error.message}", hint=hint) from error
