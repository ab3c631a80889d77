"""Who writes to a vault: its agents, each with what it has written there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from vault_memory.errors import UnsafePathError
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import folder_of, owner_of, parse_agent
from vault_memory.model.naming import home_of


@dataclass(frozen=True, slots=True)
class AgentSeen:
    """One agent, as far as the caller may see what it wrote."""

    name: str
    memories: int
    """Those that say that it wrote them."""
    last: datetime | None
    """Its last commit of a memory, or the newest date of its memories where that is later."""
    namespaces: tuple[str, ...]
    """The folders that hold memories of its own, the one with most of them first."""
    proposals: int
    """Its open ones."""
    valid: bool
    """Whether an agent can be called so; if not, somebody has written the name by hand."""


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents by name."""

    agents: tuple[AgentSeen, ...]
    notices: tuple[str, ...] = ()


def agents_in(
    entries: Iterable[Entry], *, commits: Mapping[str, datetime], proposals: Sequence[str]
) -> tuple[AgentSeen, ...]:
    """Every agent that wrote a memory or a commit (`commits`: its last one), has a private folder, or
    proposes (`proposals`: an agent's name for each). Names are taken as they are written: no two are one."""
    written: dict[str, list[Entry]] = {name: [] for name in (*commits, *proposals)}
    for entry in entries:
        owner = owner_of(entry.path)
        if owner is not None:
            written.setdefault(owner, [])
        if entry.source_agent is not None:
            written.setdefault(entry.source_agent, []).append(entry)
    open_ones = Counter(proposals)
    return tuple(
        AgentSeen(
            name,
            len(own),
            max((when for when in (commits.get(name), *(one.dated for one in own)) if when), default=None),
            _folders(own),
            open_ones[name],
            _is_valid(name),
        )
        for name, own in sorted(written.items())
    )


def _folders(entries: Iterable[Entry]) -> tuple[str, ...]:
    counts = Counter(home_of(folder_of(entry.path)) for entry in entries)
    return tuple(name for name, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _is_valid(name: str) -> bool:
    try:
        parse_agent(name)
    except UnsafePathError:
        return False
    return True
