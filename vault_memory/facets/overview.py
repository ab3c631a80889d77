"""`vault.overview`: views over many memories; nothing here changes any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.model.agents import Agents
from vault_memory.model.ask import positive
from vault_memory.model.changes import LAST, Changes
from vault_memory.model.denied import Denied
from vault_memory.model.filters.choice import Choice, Texts
from vault_memory.model.linked import BrokenLinks, MemoryLinks
from vault_memory.model.namespace import Scope
from vault_memory.model.stats import Stats, stats
from vault_memory.model.tagcount import Tags, count_tags
from vault_memory.model.timeline import Span, Timeline, parse_span, timeline
from vault_memory.model.topics import Topics, topics
from vault_memory.ops.agents import agents
from vault_memory.ops.changes import Asked, changes, note_seen
from vault_memory.ops.denials import denials
from vault_memory.ops.filtered import chosen
from vault_memory.ops.links import broken_links, count_links, links

if TYPE_CHECKING:
    from vault_memory.facets.traces import TracesFacet


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

    def changes(
        self,
        scope: Scope,
        since: str = LAST,
        *,
        namespace: str | None = None,
        tag: Texts | None = None,
        kind: Texts | None = None,
        source_agent: Texts | None = None,
        others: bool = False,
        limit: int | None = None,
    ) -> Changes:
        """What the caller may read of what changed since a token of an earlier look, a commit or a date.

        `last` counts from what `seen` noted; of a first look only memories whose `notify` names the agent
        are told. `others` leaves out what only the caller changed. `Changes.token` is where the next look
        goes on. Raises `TokenUnknownError` for a token from which nothing can be told any more,
        `RevisionNotFoundError`, `GitError`, `UsageError`.
        """
        ports, settings = self.opened.ports, self.opened.settings
        choice = {"namespace": namespace, "tag": tag, "kind": kind, "source_agent": source_agent}
        most = None if limit is None else positive("limit", limit)
        asked = Asked(since, chosen(ports, settings, choice), others, most)
        head = ports.history.state().head  # before the files are looked at
        notices = self.freshen()
        return changes(ports, settings, scope, asked, head=head, notices=notices)

    def seen(self, scope: Scope, token: str) -> None:
        """Note that the caller has seen all up to that token; it is where `changes(scope)` counts from.

        Raises `UsageError` for what is no token, `StorageError` where it can't be written down."""
        note_seen(self.opened.ports, scope, token)

    def agents(self, scope: Scope) -> Agents:
        """Who writes to the vault, as far as the caller may see it: each agent with its memories, its last
        write, its namespaces and its open proposals."""
        notices = self.freshen()
        return agents(self.opened.ports, scope, notices=notices)

    def denied(self, scope: Scope) -> Sequence[Denied]:
        """What agents were refused on this machine, the newest first. Only the person may ask."""
        return denials(self.opened.ports, scope)

    def tags(self, scope: Scope, **choice: Unpack[Choice]) -> Tags:
        """The tags of living memories, the most used first; `choice` is a filter as for `Agent.list`."""
        found = self._agent(scope).list(**choice)
        return replace(count_tags(found, inline=self._inline), notices=found.notices)

    def topics(self, scope: Scope, *, limit: int = 12, **choice: Unpack[Choice]) -> Topics:
        """What living memories are about: the tags and title words that name most of them."""
        most = positive("limit", limit)
        found = self._agent(scope).list(**choice)
        return replace(topics(found, inline=self._inline, limit=most), notices=found.notices)

    def timeline(
        self,
        scope: Scope,
        *,
        by: Span | str = Span.DAY,
        limit: int | None = None,
        **choice: Unpack[Choice],
    ) -> Timeline:
        """Living memories by their dates, newest first, gathered by day, week, month or year."""
        span, most = parse_span(by), None if limit is None else positive("limit", limit)
        found = self._agent(scope).list(**choice)
        return replace(timeline(found, self.opened.settings.zone, by=span, limit=most), notices=found.notices)

    def stats(self, scope: Scope, **choice: Unpack[Choice]) -> Stats:
        """The vault in numbers, expired memories counted with the others."""
        found = self._agent(scope).list(expired=True, **choice)
        ports = self.opened.ports
        links = count_links(ports, scope, found)
        counted = stats(found, now=ports.clock.now(), inline=self._inline, links=links)
        return replace(counted, notices=found.notices)

    @property
    def traces(self) -> TracesFacet:
        """What this machine noted of answers: how often memories were given."""
        from vault_memory.facets.traces import TracesFacet

        return TracesFacet(self.opened, self.freshen)

    def _agent(self, scope: Scope) -> Agent:
        """Who lists memories for these views: fresh, filtered, and from a mended index."""
        return Agent(self.opened, scope, self.freshen)

    @property
    def _inline(self) -> bool:
        return bool(self.opened.settings["inline_tags"])
