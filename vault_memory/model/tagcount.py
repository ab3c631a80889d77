"""Tags, and how many memories carry each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from vault_memory.model.filters.tagged import tag_key
from vault_memory.model.memory import Entry


@dataclass(frozen=True, slots=True)
class TagCount:
    """One tag, as most of its memories spell it."""

    tag: str
    memories: int
    newest: datetime | None
    """The latest date of any of them."""
    spellings: tuple[str, ...]
    """All of them, the most frequent first; one where everybody writes it alike."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of so many memories, the most used first, then by name."""

    tags: tuple[TagCount, ...]
    memories: int
    notices: tuple[str, ...] = ()


def count_tags(entries: Sequence[Entry], *, inline: bool) -> Tags:
    """Count. `inline` counts `#tag` in the text too.

    Spellings that a filter takes for one tag (case, composition) are counted as one.
    """
    spelled: dict[str, Counter[str]] = {}
    newest: dict[str, datetime] = {}
    for entry in entries:
        written = {tag_key(tag): tag for tag in reversed(tags_of(entry, inline=inline))}
        for key, tag in written.items():
            spelled.setdefault(key, Counter())[tag] += 1
            if entry.dated is not None:
                newest[key] = max(newest.get(key, entry.dated), entry.dated)
    found = [
        TagCount(forms[0], spellings.total(), newest.get(key), forms)
        for key, spellings in spelled.items()
        if (forms := _by_frequency(spellings))
    ]
    found.sort(key=lambda one: (-one.memories, tag_key(one.tag)))
    return Tags(tuple(found), len(entries))


def tags_of(entry: Entry, *, inline: bool) -> tuple[str, ...]:
    """The tags that count for a memory."""
    return (*entry.tags, *entry.inline_tags) if inline else entry.tags


def _by_frequency(spellings: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(spellings, key=lambda form: (-spellings[form], form)))
