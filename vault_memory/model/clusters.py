"""Memories of one namespace that say the same: which belong together, and which of them is to stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from vault_memory.model.again import says_nothing_new, words_said
from vault_memory.model.fields import FIELDS
from vault_memory.model.flags.beside import tells
from vault_memory.model.memory import Link, Memory
from vault_memory.model.namespace import Namespace, VaultPath, without_ending
from vault_memory.model.naming import title_of
from vault_memory.model.near import Known
from vault_memory.model.textkey import text_key

_ENDLESS = datetime.max.replace(tzinfo=UTC)
_NO_ID = "~"
"""Comes after all ids."""
_MERGED = frozenset("id title tags tag aliases alias created updated source_agent importance".split())
"""Keys of which nothing is lost that counts, as the memory that stays is chosen and changed."""


class Likeness(StrEnum):
    """How alike the memories of a cluster are."""

    EXACT = "exact"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that say the same: the one to stay, and the others.

    `lines` are (path, line) of what only an other one says, `keys` (path, key) of front matter that only an
    other one has so. `stays` says why nothing can be merged, `None` where it can or, with `merged`, was.
    """

    namespace: Namespace
    likeness: Likeness
    keep: Memory
    others: tuple[Memory, ...]
    lines: tuple[tuple[VaultPath, str], ...] = ()
    keys: tuple[tuple[VaultPath, str], ...] = ()
    stays: str | None = None
    merged: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether merging it loses nothing at all, so that nobody need be asked."""
        return self.likeness is Likeness.EXACT and not self.keys


@dataclass(frozen=True, slots=True)
class Deduped:
    """The clusters found, merged and left. `commit` is the full hash, `None` where nothing was merged or,
    with the `reason`, where what was merged is not committed. `broken` are links that led to a memory that
    went and lead nowhere now, each with the file that it stands in."""

    clusters: tuple[Cluster, ...] = ()
    commit: str | None = None
    reason: str | None = None
    broken: tuple[tuple[VaultPath, Link], ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def merged(self) -> tuple[Cluster, ...]:
        """Those that were merged."""
        return tuple(one for one in self.clusters if one.merged)


def clusters(namespace: Namespace, memories: Sequence[Memory]) -> list[Cluster]:
    """The clusters of a namespace's memories, in path order. A title of its own that no other has keeps a
    memory apart, whatever its text: it says what the text is about."""
    known = Known()
    by_words: dict[tuple[str, ...], int] = {}
    together: dict[int, list[int]] = {}
    first_of: dict[int, int] = {}
    for number, memory in enumerate(memories):
        words = words_said(memory.body)
        if not words:
            continue
        same = by_words.setdefault(words, number)
        near = known.first_like(number, memory.body)
        if near is not None and same == number and not tells(memory.body):
            near = None
        first = same if same != number else near
        if first is not None:
            root = first_of[number] = first_of.get(first, first)
            together.setdefault(root, [root]).append(number)
    found = [
        cluster
        for numbers in together.values()
        for group in _of_one_subject([memories[number] for number in numbers])
        if (cluster := _cluster(namespace, group)) is not None
    ]
    return sorted(found, key=lambda one: one.keep.path)


def subject(memory: Memory) -> str:
    """What a memory's title says beside its text, folded: empty for a title that is made of the text, and
    for a file's name where the text tells enough without it."""
    title = _front(memory).get("title")
    if not isinstance(title, str) or not title.strip():
        name = without_ending(memory.path.rpartition("/")[2])
        title = memory.title if memory.title == name and not tells(memory.body) else ""
    return "" if title == title_of(memory.body) else " ".join(words_said(title))


def _of_one_subject(memories: Sequence[Memory]) -> Iterable[list[Memory]]:
    """Those with the same title together; those without one of their own go with the first of these."""
    by_subject: dict[str, list[Memory]] = {}
    for memory in memories:
        by_subject.setdefault(subject(memory), []).append(memory)
    without = by_subject.pop("", [])
    if len(by_subject) == 1:
        [named] = by_subject.values()
        return [sorted([*named, *without], key=lambda one: one.path)]
    return [*by_subject.values(), without]


def _cluster(namespace: Namespace, memories: Sequence[Memory]) -> Cluster | None:
    if len(memories) < 2:
        return None
    keep = min(memories, key=_rank)
    others = tuple(one for one in memories if one is not keep)
    same = len({text_key(one.body) for one in memories}) == 1
    said = {words_said(line) for line in keep.body.split("\n")}
    lines = [
        (one.path, line.strip())
        for one in others
        if not says_nothing_new(one.body, keep.body)
        for line in one.body.split("\n")
        if words_said(line) and words_said(line) not in said
    ]
    keys = [(one.path, key) for one in others for key in _keys_lost(one, keep)]
    likeness = Likeness.EXACT if same else Likeness.NEAR
    return Cluster(namespace, likeness, keep, others, () if same else tuple(lines), tuple(keys))


def _rank(memory: Memory) -> tuple[bool, float, int, float, str, str]:
    """First the one that is to stay: pinned, never ending, the most words, the oldest."""
    ends = (memory.expires or _ENDLESS).timestamp()
    born = (memory.created or _ENDLESS).timestamp()
    return not memory.pinned, -ends, -len(words_said(memory.body)), born, memory.id or _NO_ID, memory.path


def _keys_lost(other: Memory, keep: Memory) -> list[str]:
    mine, theirs = _front(keep), _front(other)
    lost = [key for key, value in theirs.items() if key not in _MERGED and mine.get(key) != value]
    # The one that stays was chosen for living as long as any.
    lasting = {"ttl", "expires", "pinned"}
    return [key for key in lost if key not in lasting and not (key in FIELDS and not theirs[key])]


def _front(memory: Memory) -> Mapping[str, object]:
    return {key.casefold(): value for key, value in memory.front.items()}


def earliest(cluster: Cluster) -> datetime | None:
    """When the first of them was created, where that is before the one that stays says."""
    born = [one.created for one in cluster.others if one.created is not None]
    first = min(born, default=None)
    own = cluster.keep.created
    return first if first is not None and (own is None or first < own) else None


def tags_of_others(cluster: Cluster) -> list[str]:
    """The tags that the one that stays has not got."""
    had = {tag.casefold() for tag in (*cluster.keep.tags, *cluster.keep.inline_tags)}
    every = (tag for one in cluster.others for tag in (*one.tags, *one.inline_tags))
    return list({tag.casefold(): tag for tag in every if tag.casefold() not in had}.values())


def names_of_others(cluster: Cluster) -> list[str]:
    """What the others were called: their ids, their own titles and their aliases."""
    keep = cluster.keep
    had = {name.casefold() for name in (*keep.aliases, keep.title, keep.id or "")}
    every = (
        name
        for one in cluster.others
        for name in (one.id or "", one.title if one.title != keep.title else "", *one.aliases)
    )
    return list({name.casefold(): name for name in every if name and name.casefold() not in had}.values())
