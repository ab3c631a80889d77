"""What a vault is about: the fewest tags and title words that between them name most memories."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

from vault_memory.model.filters.tagged import tag_key
from vault_memory.model.memory import Entry
from vault_memory.model.scripts import HAN, KANA
from vault_memory.model.stopwords import STOP_WORDS
from vault_memory.model.tagcount import tags_of
from vault_memory.model.terms import cut_query

FEWEST = 2
"""A topic has so many memories at least."""

WIDEST = 0.5
"""What more than this share of a larger vault has in common tells nothing apart."""

LARGER = 20
EXAMPLES = 3

_WORD = re.compile(rf"[{HAN}{KANA}]{{2,}}|[^\W\d_{HAN}{KANA}][^\W_{HAN}{KANA}]+")
_UNSPACED = re.compile(rf"[{HAN}{KANA}]")
_LENGTHS = range(2, 5)
"""Characters of a piece of Chinese or Japanese that may be a word."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Topic:
    """Memories that share a tag, a word or two words side by side in their titles."""

    name: str
    """As most of them spell it; a tag with its `#`."""
    memories: int
    newest: datetime | None
    examples: tuple[Entry, ...]
    """The most important of those that no larger topic has shown."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics, the one that adds most memories first; `rest` counts those in none of them."""

    topics: tuple[Topic, ...]
    memories: int
    rest: int
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Group:
    names: Counter[str] = field(default_factory=Counter)
    members: set[int] = field(default_factory=set)
    """Places in the list of entries."""


def topics(entries: Sequence[Entry], *, inline: bool, limit: int) -> Topics:
    """At most `limit` topics, chosen greedily: each the one that names most memories yet unnamed."""
    groups = _groups(entries, inline=inline)
    named: set[int] = set()
    found: list[Topic] = []
    # Gains only shrink, so the best is known once the first of the heap is up to date.
    heap = [(-len(group.members), _rank(key), key) for key, group in groups.items()]
    heapq.heapify(heap)
    while heap and len(found) < limit:
        gain, rank, key = heapq.heappop(heap)
        fresh = groups[key].members - named
        if len(fresh) < -gain:
            if fresh:
                heapq.heappush(heap, (-len(fresh), rank, key))
            continue
        found.append(_topic(groups[key], fresh, entries))
        named |= groups[key].members
    return Topics(tuple(found), len(entries), len(entries) - len(named))


def _groups(entries: Sequence[Entry], *, inline: bool) -> dict[str, _Group]:
    groups: dict[str, _Group] = {}
    for place, entry in enumerate(entries):
        for key, name in dict(_candidates(entry, inline=inline)).items():
            group = groups.setdefault(key, _Group())
            group.names[name] += 1
            group.members.add(place)
    most = len(entries) * WIDEST if len(entries) >= LARGER else len(entries)
    return {key: group for key, group in groups.items() if FEWEST <= len(group.members) <= most}


def _candidates(entry: Entry, *, inline: bool) -> Iterator[tuple[str, str]]:
    """(key, as written) of whatever may name a topic of the memory: `#tag`, `word`, `two words`."""
    for tag in tags_of(entry, inline=inline):
        yield f"#{tag_key(tag)}", f"#{tag}"
    words = [(key, word) for word in _WORD.findall(entry.title) if (key := _key(word))]
    for key, word in words:
        if _UNSPACED.match(word):
            yield from ((piece, piece) for piece in _pieces(word))
        else:
            yield key, word
    for (first, left), (second, right) in pairwise(words):
        if f"{left} {right}" in entry.title:
            yield f"{first} {second}", f"{left} {right}"


@lru_cache(maxsize=50_000)
def _key(word: str) -> str:
    if _UNSPACED.match(word):
        return word
    return " ".join(cut_query(word)) if word.casefold() not in STOP_WORDS else ""


def _pieces(run: str) -> Iterable[str]:
    return {run[start : start + size] for size in _LENGTHS for start in range(len(run) - size + 1)}


def _rank(key: str) -> tuple[bool, int, str]:
    """Of topics that name equally many: a tag, then the longer one, then by name."""
    return not key.startswith("#"), -len(key), key


def _topic(group: _Group, fresh: set[int], entries: Sequence[Entry]) -> Topic:
    shown = sorted((entries[place] for place in fresh), key=_best_first)[:EXAMPLES]
    dates = [when for place in group.members if (when := entries[place].dated) is not None]
    name = min(group.names, key=lambda one: (-group.names[one], one))
    return Topic(name, len(group.members), max(dates, default=None), tuple(shown))


def _best_first(entry: Entry) -> tuple[float, float, str]:
    return -entry.importance, -(entry.dated or _LONG_AGO).timestamp(), entry.path
