"""What capture finds in a few turns."""

from __future__ import annotations

from vault_memory.model.capture.lessons import lessons_in
from vault_memory.model.capture.turn import Lesson, Role, Turn


def found(*turns: tuple[Role, str]) -> tuple[Lesson, ...]:
    return lessons_in(Turn(role, text, line) for line, (role, text) in enumerate(turns, start=1)).lessons
