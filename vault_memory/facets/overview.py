"""`vault.overview`: views over many memories; nothing here changes any."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from vault_memory.compose import Opened
from vault_memory.model.filters.choice import Choice
from vault_memory.model.linked import BrokenLinks, MemoryLinks
from vault_memory.model.namespace import Scope
from vault_memory.model.stats import Stats
from vault_memory.model.tagcount import Tags
from vault_memory.model.timeline import Span, Timeline
from vault_memory.model.topics import Topics
from vault_memory.ops.links import broken_links, links
from vault_memory.ops.overview import view_stats, view_tags, view_timeline, view_topics


@dataclass(frozen=True, slots=True)
class OverviewFacet:
    """What the memories of one open vault have to do with each other."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]

    def links(self, scope: Scope, ref: str) -> MemoryLinks:
        """The links of one memory with what they lead to, and those that lead to it."""
        notices = self.freshen()
        return links(self.opened.ports, scope, ref, notices=notices)

    def broken_links(self, scope: Scope) -> BrokenLinks:
        """Every link that was to lead to a memory and leads to none."""
        notices = self.freshen()
        return broken_links(self.opened.ports, scope, notices=notices)

    def tags(self, scope: Scope, **choice: Unpack[Choice]) -> Tags:
        """The tags of living memories, the most used first; `choice` is a filter as for `Agent.list`."""
        self.freshen()
        return view_tags(self.opened.ports, self.opened.settings, scope, choice)

    def topics(self, scope: Scope, *, limit: int = 12, **choice: Unpack[Choice]) -> Topics:
        """What living memories are about: the tags and title words that name most of them."""
        self.freshen()
        return view_topics(self.opened.ports, self.opened.settings, scope, choice, limit=limit)

    def timeline(
        self,
        scope: Scope,
        *,
        by: Span | str = Span.DAY,
        limit: int | None = None,
        **choice: Unpack[Choice],
    ) -> Timeline:
        """Living memories by their dates, newest first, gathered by day, week, month or year."""
        self.freshen()
        return view_timeline(self.opened.ports, self.opened.settings, scope, choice, by=by, limit=limit)

    def stats(self, scope: Scope, **choice: Unpack[Choice]) -> Stats:
        """The vault in numbers, expired memories counted with the others."""
        self.freshen()
        return view_stats(self.opened.ports, self.opened.settings, scope, choice)
