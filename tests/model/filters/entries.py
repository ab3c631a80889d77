"""Entries for filters to look at."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from vault_memory.model.filters.chosen import tag_keys
from vault_memory.model.filters.condition import Condition, Subject
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath

NOW = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


def entry(
    front: Mapping[str, object] | None = None,
    *,
    path: str = "notes/one.md",
    title: str = "One",
    tags: tuple[str, ...] = (),
    inline_tags: tuple[str, ...] = (),
    kind: str | None = None,
    source_agent: str | None = None,
    importance: float = 0.5,
    pinned: bool = False,
    created: datetime | None = None,
    updated: datetime | None = None,
    expires: datetime | None = None,
    aliases: tuple[str, ...] = (),
) -> Entry:
    """One entry, of which only what is named is out of the ordinary."""
    return Entry(
        path=VaultPath(path),
        version="",
        id=None,
        title=title,
        importance=importance,
        tags=tags,
        inline_tags=inline_tags,
        aliases=aliases,
        kind=kind,
        pinned=pinned,
        source_agent=source_agent,
        created=created,
        updated=updated,
        dated=updated or created,
        expires=expires,
        size=0,
        conflicted=False,
        front=front or {},
    )


def holds(condition: Condition, one: Entry) -> bool:
    """Whether a condition holds of an entry, tags in its text counted."""
    return condition.holds(Subject(one, tag_keys(one, inline=True)))
