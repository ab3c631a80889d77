"""What a capture did."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.capture.turn import Lesson
from vault_memory.model.outcome import Written

INBOX = "inbox"
"""The folder of an agent's own in which captured memories wait for a look."""


@dataclass(frozen=True, slots=True)
class Captured:
    """One part of a transcript looked through. `saved` has an outcome for each of `lessons`."""

    transcript: str
    format: str
    session: str | None
    agent: str
    lessons: tuple[Lesson, ...] = ()
    saved: tuple[Written, ...] = ()
    turns: int = 0
    known: int = 0
    """Lessons that the agent could read in the vault already."""
    refused: int = 0
    """Lessons that are not kept, since a secret stands in them or beside them."""
    left_out: int = 0
    """Lessons beyond the most that are kept of one part."""
    broken: int = 0
    """Lines that could not be read."""
    bytes_left: int = 0
    """Bytes for the next capture: one looks through so many and no more."""
    dry_run: bool = False
    off: bool = False
    """The settings say that nothing of this agent is captured; the transcript was not read."""
    notices: tuple[str, ...] = ()
