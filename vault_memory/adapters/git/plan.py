"""Which operations of a batch can be committed: those whose bytes can be proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.working import Working
from vault_memory.model.revision import Author, Intent


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a commit to make: its bytes (`None`: its removal).

    `closes` are the numbers of the operations it settles: its own and those it has overtaken."""

    path: str
    working: Working | None
    closes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to make: its files, no path twice, under a message."""

    parts: tuple[Part, ...]
    message: str
    author: Author | None
    at: datetime

    @property
    def subject(self) -> str:
        """The message's first line."""
        return self.message.partition("\n")[0]

    @property
    def closes(self) -> tuple[int, ...]:
        """The numbers of all operations that it settles."""
        return tuple(number for part in self.parts for number in part.closes)

    def only(self, parts: Iterable[Part]) -> Iterator[Step]:
        """The step with some of its parts; none where they are none."""
        kept = tuple(parts)
        if kept:
            yield self if len(kept) == len(self.parts) else replace(self, parts=kept)


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
    last_of: dict[int, Part] = {}
    for path, queue in by_path.items():
        file = working[path]
        taken, held = _reached(queue, file.version if file is not None else None, head_version(path))
        if held:
            made.done[path] = [intent.number for intent in queue[:held]]
        if taken > held:
            closes = tuple(intent.number for intent in queue[held:taken])
            last_of[queue[taken - 1].number] = Part(path, file, closes)
        for intent in queue[max(taken, held) :]:
            gone = intent.operation.version is None
            made.waiting[intent.number] = reasons.FILE_IS_BACK if gone else reasons.EDITED_SINCE
    ready = [intent for intent in intents if intent.number in last_of]
    for _, group in groupby(ready, _commit_of):
        first, *more = group
        parts = tuple(last_of[intent.number] for intent in (first, *more))
        made.steps.append(Step(parts, first.operation.message, first.operation.author, first.at))
    return made


def _commit_of(intent: Intent) -> tuple[str | None, int | None]:
    """What neighbours have in common that make one commit."""
    batch = intent.operation.batch
    return batch, intent.number if batch is None else None


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
