"""What changed in the memories that a caller may read since they last looked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from vault_memory.model.filters.chosen import Filter
from vault_memory.model.memory import Entry

LAST = "last"
"""In place of a token: since this caller last said to have seen all."""
_NOTIFY = "notify"


class What(StrEnum):
    """What became of a memory."""

    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    """It lies elsewhere now, and may have changed as well."""
    REMOVED = "removed"


class Basis(StrEnum):
    """What the answer is told by."""

    INDEX = "index"
    """The index remembers each change since then, committed or not."""
    COMMITS = "commits"
    """The files are held against those of a commit."""
    NOTHING = "nothing"
    """It is a first look, or as good as one: only what names the caller is told."""


class Trace(NamedTuple):
    """A memory as it came with a generation, or as it was when it left with one.

    At the time that is asked about: `was_there`, of one that came, whether its path held a memory; `as_then`,
    of one that left, whether it left as it was."""

    entry: Entry
    generation: int
    was_there: bool = False
    as_then: bool = True


class Since(NamedTuple):
    """What came and what left, each the newest first. A path may be in both: it left, and came again.

    What left was there at the time that is asked about."""

    came: Sequence[Trace]
    left: Sequence[Trace]


@dataclass(frozen=True, slots=True)
class Event:
    """What became of one memory in all, however often it changed. `entry` is how it is now; of a removed one,
    how it was."""

    what: What
    entry: Entry
    came_from: str | None = None
    """Where one lay that moved."""
    named: bool = False
    """Whether its front matter names the caller under `notify`."""
    by: tuple[str, ...] = ()
    """Who committed changes of it since then, the last one first; empty where that isn't in git."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The events, the newest first, and the token of this look, from which the next one goes on."""

    events: tuple[Event, ...]
    token: str
    since: str | None
    """What it counts from: a token, a commit, or `None` for a first look. Where it was the caller's mark, and
    nothing can be told from there any more, the basis is `NOTHING`."""
    basis: Basis
    omitted: int = 0
    """How many events a limit left out."""
    notices: tuple[str, ...] = field(default=())


def events(since: Since, agent: str | None, chosen: Filter = Filter.none) -> list[Event]:
    """What became of each memory that fits, the newest first. One that is as it was is none.

    What left and what came are one memory where they have one id, or else the same bytes."""
    left = {one.entry.path: one for one in since.left}
    came: list[Trace] = []
    for one in since.came:
        before = left.pop(one.entry.path, None)
        if before is None:
            came.append(one)
        elif not before.as_then or before.entry.version != one.entry.version:
            came.append(one._replace(was_there=True))
    came = [one for one in came if chosen.matches(one.entry)]
    gone = [one for one in left.values() if chosen.matches(one.entry)]
    origins = _origins([one for one in came if not one.was_there], gone)
    found = [(one.generation, _came(one, origins.get(one.entry.path), agent)) for one in came]
    moved = set(origins.values())
    found += [
        (one.generation, Event(What.REMOVED, one.entry, named=names(one.entry, agent)))
        for one in gone
        if one.entry.path not in moved
    ]
    return [event for _, event in sorted(found, key=lambda pair: (-pair[0], pair[1].entry.path))]


def first_events(entries: Iterable[Entry], agent: str | None) -> list[Event]:
    """Of a first look: the memories that name the agent, the newest first."""
    named = [one for one in entries if names(one, agent)]
    named.sort(key=lambda one: one.path)
    named.sort(key=lambda one: (one.dated is not None, one.dated), reverse=True)
    return [Event(What.ADDED, one, named=True) for one in named]


def names(entry: Entry, agent: str | None) -> bool:
    """Whether the front matter says to notify that agent. Names are compared without case: to be told is no
    right to read."""
    if agent is None or not entry.front:
        return False
    for key, value in entry.front.items():
        if key.casefold() == _NOTIFY:
            parts = value if isinstance(value, list | tuple) else str(value).split(",")
            return agent in {str(part).strip().removeprefix("@").casefold() for part in parts}
    return False


def by_whom(found: Sequence[Event], authors: Mapping[str, Sequence[str]]) -> list[Event]:
    """The events with those who committed changes of their paths, the last one first."""
    told: list[Event] = []
    for one in found:
        both = (*authors.get(one.entry.path, ()), *authors.get(one.came_from or "", ()))
        told.append(replace(one, by=tuple(dict.fromkeys(both))))
    return told


def without_own(found: Iterable[Event], own: Collection[str]) -> list[Event]:
    """Those that somebody else had a part in, or of which that isn't known."""
    return [one for one in found if not one.by or not set(one.by) <= set(own)]


def _origins(new: Sequence[Trace], gone: Sequence[Trace]) -> dict[str, str]:
    """The path that each of the new ones lay at before, for those that moved."""
    free: dict[str, list[str]] = {}
    for one in gone:
        for key in _keys(one.entry):
            free.setdefault(key, []).append(one.entry.path)
    origins: dict[str, str] = {}
    taken: set[str] = set()
    for one in new:
        candidates = (path for key in _keys(one.entry) for path in free.get(key, ()) if path not in taken)
        origin = next(candidates, None)
        if origin is not None:
            origins[one.entry.path] = origin
            taken.add(origin)
    return origins


def _keys(entry: Entry) -> tuple[str, ...]:
    """What two places of one memory have in common: its id, or else its very bytes."""
    return (f"version {entry.version}",) if entry.id is None else (f"id {entry.id.upper()}",)


def _came(one: Trace, origin: str | None, agent: str | None) -> Event:
    what = What.CHANGED if one.was_there else What.ADDED if origin is None else What.MOVED
    return Event(what, one.entry, origin, names(one.entry, agent))
