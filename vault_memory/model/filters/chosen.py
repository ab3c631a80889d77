"""The filter: everything that a caller asks of the memories that may be found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import ClassVar

from vault_memory.model.caseless import caseless
from vault_memory.model.filters.condition import Condition, Subject
from vault_memory.model.filters.pattern import Pattern
from vault_memory.model.filters.tagged import tag_key
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace


class Look(Enum):
    """What a filter says of a memory."""

    FITS = "fits"
    UNDATED = "undated"
    """All fits, but it has no date and a time was asked for."""
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Filter:
    """A memory fits where all of this holds; what is empty or `None` asks nothing."""

    folder: Namespace | None = None
    kinds: tuple[str, ...] = ()
    """Any of them, as `caseless` writes them; the same for `agents`."""
    agents: tuple[str, ...] = ()
    paths: tuple[Pattern, ...] = ()
    """Any of them."""
    since: datetime | None = None
    until: datetime | None = None
    """The first instant that is too late. Both look at `Entry.dated`."""
    tags: Condition | None = None
    where: Condition | None = None
    inline_tags: bool = True
    """Whether a `#tag` in the text counts as a tag."""

    none: ClassVar[Filter]
    """Asks nothing."""

    def __bool__(self) -> bool:
        """Whether anything is asked."""
        return bool(
            self.folder or self.kinds or self.agents or self.paths or self.timed or self.tags or self.where
        )

    @property
    def timed(self) -> bool:
        """Whether a time is asked for."""
        return self.since is not None or self.until is not None

    def matches(self, entry: Entry) -> bool:
        """Whether the memory fits."""
        return self.look(entry) is Look.FITS

    def look(self, entry: Entry) -> Look:
        """Whether it fits, or would if it had a date."""
        dated = entry.dated
        if dated is not None and not self._in_time(dated):
            return Look.OUT
        if not self._fits_but_for_time(entry):
            return Look.OUT
        return Look.UNDATED if dated is None and self.timed else Look.FITS

    def _in_time(self, dated: datetime) -> bool:
        early = self.since is not None and dated < self.since
        return not early and not (self.until is not None and dated >= self.until)

    def _fits_but_for_time(self, entry: Entry) -> bool:
        if self.folder and not entry.path.startswith(f"{self.folder}/"):
            return False
        if self.kinds and caseless(entry.kind or "") not in self.kinds:
            return False
        if self.agents and caseless(entry.source_agent or "") not in self.agents:
            return False
        if self.paths and not any(pattern.matches(entry.path) for pattern in self.paths):
            return False
        if self.tags is None and self.where is None:
            return True
        subject = Subject(entry, tag_keys(entry, inline=self.inline_tags))
        if self.tags is not None and not self.tags.holds(subject):
            return False
        return self.where is None or self.where.holds(subject)


Filter.none = Filter()


def tag_keys(entry: Entry, *, inline: bool) -> tuple[str, ...]:
    """The memory's tags as they are compared."""
    tags: Iterable[str] = (*entry.tags, *entry.inline_tags) if inline else entry.tags
    return tuple(map(tag_key, tags))
