"""What a transcript is made of, and what is found in one: turns and lessons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Who speaks in a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at a time. `line` counts from 1 in the transcript's file; `at` is the time as
    it is written there."""

    role: Role
    text: str
    line: int
    at: str | None = None
    spread: bool = False
    """Whether the lines of the text are lines of the file: in JSON a whole turn is one."""


class Sort(StrEnum):
    """What is looked for in a conversation."""

    DECISION = "decision"
    CONSTRAINT = "constraint"
    RESULT = "result"
    CAUSE = "cause"
    FACT = "fact"
    PROCEDURE = "procedure"
    PREFERENCE = "preference"
    DEAD_END = "dead end"
    INTENT = "intent"


KIND_OF: Mapping[Sort, str] = {
    Sort.DECISION: "decision",
    Sort.CONSTRAINT: "constraint",
    Sort.RESULT: "evidence",
    Sort.CAUSE: "semantic",
    Sort.FACT: "semantic",
    Sort.PROCEDURE: "procedural",
    Sort.PREFERENCE: "preference",
    Sort.DEAD_END: "evidence",
    Sort.INTENT: "intent",
}
"""The kind of memory that each becomes."""

TAGS_OF: Mapping[Sort, tuple[str, ...]] = {Sort.DEAD_END: ("dead-end",)}
"""What is to be seen of it beside its kind."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing worth keeping. `around` is the whole turn: where a secret stands in that, no
    lesson of it is kept."""

    title: str
    text: str
    kind: str
    line: int
    tags: tuple[str, ...] = ()
    importance: float | None = None
    """`None` for that of its kind."""
    sort: Sort | None = None
    """As what the rules found it; `None` where another program did."""
    around: str = field(default="", repr=False)
