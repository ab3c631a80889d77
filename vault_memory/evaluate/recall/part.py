"""A share of a run: one vault is made of conversations, and questions are asked of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vault_memory.config.settings import BY_KEY, Settings
from vault_memory.errors import VmemError
from vault_memory.evaluate.recall.asking import Asker
from vault_memory.evaluate.recall.conversations import Conversation
from vault_memory.evaluate.recall.pool import Tick
from vault_memory.evaluate.recall.result import Asked
from vault_memory.evaluate.recall.writing import write
from vault_memory.vault import Vault, system_clock

OURS: Mapping[str, object] = {"refresh_seconds": 3600.0}
"""Nothing changes the files during a run, so they are looked at once."""


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the work: a vault, what it holds, and what is asked of it. Goes to a worker whole."""

    root: Path
    held: Sequence[Conversation]
    asked: Sequence[tuple[int, int]]
    """(number of the conversation, number of the question) of each, from 0."""
    strangers: Sequence[tuple[str, datetime]]
    flags: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answers:
    """What came of a part."""

    asked: Sequence[Asked]
    best: Sequence[float]
    strangers: Sequence[float]
    passages: int
    mixed: tuple[str, ...]
    embedder: str
    modes: frozenset[str]
    settings: Mapping[str, object]
    seconds: Mapping[str, float]


@dataclass(slots=True)
class ToldClock:
    """A clock that shows what it was told."""

    at: datetime

    def now(self) -> datetime:
        """The moment it was told."""
        return self.at

    def now_ns(self) -> int:
        """The system's own: files carry its time."""
        return system_clock().now_ns()


@dataclass(frozen=True, slots=True)
class Failure:
    """An error on its way from a worker: most of ours can't be made from their message alone."""

    kind: type[VmemError]
    said: tuple[object, ...]
    facts: Mapping[str, object]

    def error(self) -> VmemError:
        """The error as it was."""
        made = self.kind.__new__(self.kind, *self.said)
        made.__dict__.update(self.facts)
        return made


def answer_elsewhere(part: Part, tick: Tick) -> Answers | Failure:
    """`answer`, for a worker process."""
    try:
        return answer(part, tick)
    except VmemError as error:
        return Failure(type(error), error.args, vars(error))


def unwatched(what: str, done: int, total: int) -> None:
    """For callers who do not watch the progress."""


def answer(part: Part, tick: Tick) -> Answers:
    """Make the vault unless it is there, bring its index up to the files, and ask; a tick a question."""
    began = time.perf_counter()
    Vault.create(part.root)
    written = write(part.root, part.held)
    clock = ToldClock(part.held[0].sessions[0].at)
    with Vault.open(part.root, settings=part.flags, clock=clock) as vault:
        report = vault.index.refresh()
        agent = vault.person
        entries = len(vault.index.entries(agent.scope))
        if entries != len(written.turns):
            raise VmemError(
                f"{part.root} holds {entries:,} memories, and not the {len(written.turns):,} sessions alone"
                f"{f' ({report.reason})' if report.reason else ''}",
                hint="name an empty folder, or one of an earlier run",
            )
        indexed = time.perf_counter() - began
        asker = Asker(agent, written)
        asked: list[Asked] = []
        best: list[float] = []
        for at, number in part.asked:
            conversation = part.held[at]
            question = conversation.questions[number]
            clock.at = question.at
            values, score = asker.ask(conversation, question)
            asked.append(Asked(question.id, question.text, question.category, conversation.half, values))
            best.append(score)
            tick()
        strangers = [_stranger(asker, clock, text, at) for text, at in part.strangers]
        return Answers(
            asked,
            best,
            strangers,
            written.passages,
            written.mixed,
            agent.opened.ports.embedder.id,
            frozenset(asker.modes),
            changed(vault.settings),
            {"indexing": indexed, **asker.seconds},
        )


def changed(settings: Settings) -> dict[str, object]:
    """The settings that differ from their defaults, but for those that every run sets."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, row in BY_KEY.items()
        if (value := settings[key]) != row.default and OURS.get(key) != value
    }


def _stranger(asker: Asker, clock: ToldClock, text: str, at: datetime) -> float:
    clock.at = at
    hits = asker.search(text, 1)
    return hits[0].score if hits else 0.0
