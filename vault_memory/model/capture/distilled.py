"""What a command that distils a conversation is given, and its answer: a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from vault_memory.errors import DistillerError
from vault_memory.model.capture.lessons import MOST, Found, title_for
from vault_memory.model.capture.turn import Lesson, Role, Turn
from vault_memory.model.capture.wrappers import cleaned
from vault_memory.model.halves import without_halves
from vault_memory.model.kinds import KINDS

MOST_CHARACTERS = 1_000_000
"""Characters of a conversation that a command is given: the last ones."""
LONGEST = 4_000
"""Characters of a lesson."""
_NAMES = {Role.USER: "User", Role.ASSISTANT: "Assistant"}


def conversation(turns: Iterable[Turn]) -> str:
    """The turns as plain text, without what tools answered, code, and stored notes."""
    said: list[str] = []
    for turn in turns:
        text = cleaned(turn.text).strip() if turn.role in _NAMES else ""
        if text:
            said.append(f"{_NAMES[turn.role]}: {text}\n\n")
    return "".join(said)[-MOST_CHARACTERS:]


def lessons_of(answer: bytes, *, turns: int, line: int) -> Found:
    """The lessons of an answer; `line` is the transcript's line for those that name none. An empty answer
    has none. Raises `DistillerError` where there is an answer and no lesson in it."""
    lines = [text for text in answer.decode("utf-8", "replace").splitlines() if text.strip()]
    lessons = list(_lessons(lines, line))
    if lines and not lessons:
        raise DistillerError("answered no line with a lesson in JSON")
    return Found(tuple(lessons[:MOST]), turns, max(len(lessons) - MOST, 0))


def _lessons(lines: Iterable[str], line: int) -> Iterator[Lesson]:
    for text in lines:
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            continue
        lesson = _lesson(record, line) if isinstance(record, dict) else None
        if lesson is not None:
            yield lesson


def _lesson(record: dict[str, Any], line: int) -> Lesson | None:
    text = _text(record.get("text"))
    if not text or len(text) > LONGEST:
        return None
    title = " ".join(_text(record.get("title")).split())[:200]
    kind = _text(record.get("kind")).casefold()
    weight = record.get("importance")
    number = record.get("line")
    tags = record.get("tags")
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool) and 0 <= weight <= 1
    return Lesson(
        title or title_for(text),
        text,
        kind if kind in KINDS else "semantic",
        number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else line,
        tuple(tag for tag in tags if _is_tag(tag))[:8] if isinstance(tags, list) else (),
        float(weight) if is_number and weight is not None else None,
    )


def _text(value: object) -> str:
    """Text without halves of characters and without what no person types."""
    if not isinstance(value, str):
        return ""
    return "".join(char for char in without_halves(value) if char.isprintable() or char in "\n\t").strip()


def _is_tag(tag: object) -> bool:
    return isinstance(tag, str) and 0 < len(tag) <= 40 and tag.replace("-", "").replace("_", "").isalnum()
