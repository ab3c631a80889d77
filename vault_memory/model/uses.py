"""Which memories were given to whom, and when: what local traces hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from vault_memory.model.halves import without_halves


@dataclass(frozen=True, slots=True)
class UsedMemory:
    """One memory of an answer."""

    path: str
    id: str | None
    version: str
    """Of the file as it was then, as in `Entry.version`."""


@dataclass(frozen=True, slots=True)
class Use:
    """One answer that gave memories, or gave none. The question is not kept."""

    at: datetime
    agent: str | None
    """`None` for the person."""
    door: str
    """What asked: `recall`, `search`, or a hook's event such as `session-start`."""
    session: str | None
    """The session of the agent's program, where that has one."""
    tokens: int
    """How many the answer has."""
    whole: int
    """How many all memories that the caller may read have together, or 0 where nobody counted."""
    memories: tuple[UsedMemory, ...] = ()


BEGINS = "session-start"
"""The door by which a session begins, and begins anew where what it was given before is lost to it."""
DAYS = 90
"""Answers older than so many days are forgotten."""
MOST = 50_000
"""So many answers are remembered, the latest."""
_LONGEST = 200
"""Characters of a door's or session's name, which programs give."""
_LARGEST = (1 << 53) - 1


def harmless(use: Use) -> Use:
    """The same as far as it can be written down: names cut and of whole characters, counts within bounds."""
    memories = tuple(
        UsedMemory(
            without_halves(one.path),
            None if one.id is None else without_halves(one.id),
            without_halves(one.version),
        )
        for one in use.memories
    )
    return Use(
        use.at,
        None if use.agent is None else bounded(use.agent),
        bounded(use.door),
        None if use.session is None else bounded(use.session),
        min(max(use.tokens, 0), _LARGEST),
        min(max(use.whole, 0), _LARGEST),
        memories,
    )


def latest_of(uses: Iterable[Use], known: Mapping[str, str]) -> dict[str, str]:
    """The version of each memory, by its id or else its path, that a session was given last: `known` is what
    it was given before these, `uses` are in their order. A session that begins anew knows nothing."""
    latest = dict(known)
    for use in uses:
        if use.door == BEGINS:
            latest.clear()
        latest |= {known_as(one.id, one.path): one.version for one in use.memories}
    return latest


def known_as(own: str | None, path: str) -> str:
    """By what a session knows a memory again: its id, which stays when it is moved, or else its path."""
    return own or path


def bounded(name: str) -> str:
    """A name that is no longer than can be kept, and another one for another name."""
    name = without_halves(name)
    if len(name) <= _LONGEST:
        return name
    rest = hashlib.sha256(name.encode()).hexdigest()[:32]
    return f"{name[: _LONGEST - 33]} {rest}"
