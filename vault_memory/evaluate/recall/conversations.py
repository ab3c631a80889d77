"""What a set of conversations is: sessions of turns, and questions whose evidence is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

TUNING, HELD_OUT = "tuning", "held-out"
"""The half on which weights may be chosen, and the half that shows what they are worth."""


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting: `turns` are lines of the form `Speaker: what they said`, without line ends."""

    name: str
    title: str
    at: datetime
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked at the moment `at`, and where the evidence lies.

    `turns` are (number of the session, number of the turn), both from 0; `sessions` are numbers of
    sessions, and may be known where turns are not.
    """

    id: str
    text: str
    category: str
    at: datetime
    turns: frozenset[tuple[int, int]]
    sessions: frozenset[int]


@dataclass(frozen=True, slots=True)
class Conversation:
    """The sessions that one vault holds, and what is asked of it."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    half: str | None = None
    left_out: int = 0
    """How many questions the file has whose answer lies nowhere in the conversation."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Conversations of one file; `form` names its format."""

    form: str
    name: str
    conversations: tuple[Conversation, ...]


def one_line(text: str) -> str:
    """The text with every run of blanks and line ends as one blank, and fit for UTF-8."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
