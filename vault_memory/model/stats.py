"""A vault in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from vault_memory.model.filters.tagged import tag_key
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import PRIVATE, SHARED
from vault_memory.model.tagcount import tags_of

Counts = tuple[tuple[str, int], ...]
"""(name, memories), the most first."""

TOP = "(top folder)"
A_PERSON = "(a person)"
NO_KIND = "(none)"
STEPS = 5
"""Importance is counted in so many equal steps from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over the memories that a caller may read and that fit a filter."""

    memories: int
    bytes: int
    expired: int
    pinned: int
    undated: int
    without_id: int
    conflicted: int
    """Those that hold merge markers."""
    tags: int
    """Different tags."""
    untagged: int
    links: int
    """Links between memories as written, broken ones too."""
    oldest: datetime | None
    newest: datetime | None
    namespaces: Counts
    kinds: Counts
    agents: Counts
    importance: Counts
    """From the lowest step to the highest, empty ones too."""
    years: Counts
    """By the year of their date, the newest first."""
    notices: tuple[str, ...] = ()


def stats(
    entries: Sequence[Entry],
    *,
    now: datetime,
    inline: bool,
    links: int,
) -> Stats:
    """Count; `links` are counted already. Years are those of UTC."""
    dates = [entry.dated for entry in entries if entry.dated is not None]
    tagged = [tags_of(entry, inline=inline) for entry in entries]
    years = Counter(f"{moment.year:04}" for moment in dates)
    return Stats(
        memories=len(entries),
        bytes=sum(entry.size for entry in entries),
        expired=sum(entry.expires is not None and entry.expires <= now for entry in entries),
        pinned=sum(entry.pinned for entry in entries),
        undated=len(entries) - len(dates),
        without_id=sum(entry.id is None for entry in entries),
        conflicted=sum(entry.conflicted for entry in entries),
        tags=len({tag_key(tag) for tags in tagged for tag in tags}),
        untagged=sum(not tags for tags in tagged),
        links=links,
        oldest=min(dates, default=None),
        newest=max(dates, default=None),
        namespaces=_counted(map(_namespace, entries)),
        kinds=_counted(entry.kind or NO_KIND for entry in entries),
        agents=_counted(entry.source_agent or A_PERSON for entry in entries),
        importance=_importance(entries),
        years=tuple(sorted(years.items(), reverse=True)),
    )


def _counted(names: Iterable[str]) -> Counts:
    return tuple(sorted(Counter(names).items(), key=lambda one: (-one[1], one[0])))


def _namespace(entry: Entry) -> str:
    """The first folder; below `private/` and `shared/` the next one too."""
    folders = entry.path.split("/")[:-1]
    depth = 2 if folders and folders[0] in (PRIVATE, SHARED) else 1
    return "/".join(folders[:depth]) or TOP


def _importance(entries: Iterable[Entry]) -> Counts:
    steps = Counter(min(int(entry.importance * STEPS), STEPS - 1) for entry in entries)
    return tuple((f"{step / STEPS:.1f}–{(step + 1) / STEPS:.1f}", steps[step]) for step in range(STEPS))
