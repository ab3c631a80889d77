"""Which operations of a batch can be committed: those whose bytes can be proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.working import Working
from vault_memory.model.revision import Author, Intent


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to make: the file's bytes (`None`: its removal) under a message.

    `closes` are the numbers of the operations it settles: its own and those it has overtaken."""

    path: str
    working: Working | None
    message: str
    author: Author | None
    at: datetime
    closes: tuple[int, ...]

    @property
    def subject(self) -> str:
        """The message's first line."""
        return self.message.partition("\n")[0]


@dataclass(slots=True)
class Plan:
    """`steps` in the batch's order; `done` gives the numbers of each path that HEAD holds already."""

    steps: list[Step] = field(default_factory=list)
    done: dict[str, list[int]] = field(default_factory=dict)
    waiting: dict[int, str] = field(default_factory=dict)


def plan(
    intents: Sequence[Intent],
    tracked: Mapping[int, str],
    working: Mapping[str, Working | None],
    head_version: Callable[[str], str | None],
) -> Plan:
    """Sort the intents. `tracked` gives each number's repository path, `working` each path's file,
    `head_version` the sha256 of a path's bytes in HEAD."""
    by_path: dict[str, list[Intent]] = {}
    for intent in intents:
        by_path.setdefault(tracked[intent.number], []).append(intent)
    made = Plan()
    last_of: dict[int, Step] = {}
    for path, queue in by_path.items():
        file = working[path]
        taken, held = _reached(queue, file.version if file is not None else None, head_version(path))
        if held:
            made.done[path] = [intent.number for intent in queue[:held]]
        if taken > held:
            last = queue[taken - 1]
            last_of[last.number] = Step(
                path,
                file,
                last.operation.message,
                last.operation.author,
                last.at,
                tuple(intent.number for intent in queue[held:taken]),
            )
        for intent in queue[max(taken, held) :]:
            gone = intent.operation.version is None
            made.waiting[intent.number] = reasons.FILE_IS_BACK if gone else reasons.EDITED_SINCE
    made.steps = [last_of[intent.number] for intent in intents if intent.number in last_of]
    return made


def _reached(queue: Sequence[Intent], now: str | None, head: str | None) -> tuple[int, int]:
    """How many of a path's operations the working file has seen, and how many HEAD has.

    Each operation leads from one version to the next, and the same version may come twice: HEAD
    is taken to be behind the file where it can be, since it is reached through the file."""
    versions = [queue[0].operation.before, *(intent.operation.version for intent in queue)]
    taken = max((place for place in range(1, len(versions)) if versions[place] == now), default=0)
    behind = [place for place in range(taken + 1) if versions[place] == head]
    if behind and taken:
        return taken, max(behind)
    ahead = [place for place in range(1, len(versions)) if versions[place] == head]
    return taken, max(ahead, default=0)
