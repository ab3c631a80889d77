"""Transcripts as plain text: `User: …` and `Assistant: …` at the beginning of lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from vault_memory.model.capture.turn import Role, Turn

_ROLES = {
    "user": Role.USER, "human": Role.USER, "me": Role.USER, "you": Role.USER, "nutzer": Role.USER,
    "assistant": Role.ASSISTANT, "ai": Role.ASSISTANT, "agent": Role.ASSISTANT, "bot": Role.ASSISTANT,
    "model": Role.ASSISTANT, "claude": Role.ASSISTANT, "codex": Role.ASSISTANT, "gemini": Role.ASSISTANT,
    "assistent": Role.ASSISTANT, "tool": Role.TOOL, "system": Role.TOOL, "output": Role.TOOL,
}  # fmt: skip
"""Who speaks where a line begins with the name and a colon; what the system says is no lesson either."""
_TURN = re.compile(
    r"[ \t]{0,3}(?:#{1,4}[ \t]+)?(?:\*\*|__)?("
    + "|".join(_ROLES)
    + r")(?:\*\*|__)?[ \t]?[:：](?:\*\*|__)?(?:[ \t]+|$)",
    re.IGNORECASE,
)


def begins_turn(line: str) -> bool:
    """Whether somebody begins to speak in the line."""
    return _TURN.match(line) is not None


def turns_of(lines: Iterable[tuple[int, str]]) -> Iterator[Turn]:
    """The turns of numbered lines; what stands before the first one is nobody's."""
    role: Role | None = None
    first, said = 0, [""]
    for number, line in lines:
        match = _TURN.match(line)
        if match is not None:
            if role is not None:
                yield Turn(role, "\n".join(said), first, spread=True)
            role, first, said = _ROLES[match[1].lower()], number, [line[match.end() :]]
        elif role is not None:
            said.append(line)
    if role is not None:
        yield Turn(role, "\n".join(said), first, spread=True)
