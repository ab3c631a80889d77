"""A flag on a changed memory, and the two versions that it is raised from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from vault_memory.model.memory import Memory

SECRET = "secret"  # noqa: S105 - the name of a flag
INSTRUCTIONS = "instructions"
PLACE = "private-shared"
CONTRADICTION = "contradiction"
NEAR_DUPLICATE = "near-duplicate"
IMPORTANCE = "importance-jump"
EXPIRY = "expires-earlier"
FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing worth a look. `line` is of the newer file; `other` is the other memory that it is about."""

    name: str
    message: str
    line: int | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """A memory before and after, `None` where it is not there, and what else its flags must know."""

    before: Memory | None
    after: Memory | None
    old: str
    """The whole text of the file before; empty where there was none."""
    new: str
    now: datetime
    secrets: Callable[[str, str], list[tuple[str, int]]]
    """(rule, line) of each secret in a text, but of those that stand in the other text too."""
