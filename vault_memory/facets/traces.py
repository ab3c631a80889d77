"""`vault.overview.traces`: what this machine noted of the answers that gave memories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Unpack

from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.model.ask import positive
from vault_memory.model.filters.choice import Choice
from vault_memory.model.namespace import Scope
from vault_memory.model.usage import Usage
from vault_memory.ops.filtered import chosen
from vault_memory.ops.usage import forget_uses, used


@dataclass(frozen=True, slots=True)
class TracesFacet:
    """How the memories of one open vault were used, as far as it was noted here."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]

    def usage(self, scope: Scope, *, limit: int = 5, **choice: Unpack[Choice]) -> Usage:
        """How often memories were recalled and given to agents, which ones most and which never. An agent is
        told of itself alone, the person of all.

        `since` and `until` say which answers, the rest of `choice` which memories are named; of these come
        `limit` at most. Raises `UsageError`."""
        ports, settings, most = self.opened.ports, self.opened.settings, positive("limit", limit)
        time = chosen(ports, settings, {name: choice.get(name) for name in ("since", "until")})
        choice.pop("since", None)
        choice.pop("until", None)
        agent = Agent(self.opened, scope, self.freshen)
        entries = agent.list(expired=True)
        narrowed = agent.list(expired=True, **choice) if any(choice.values()) else None
        found = used(
            ports,
            scope,
            entries,
            chosen=narrowed,
            since=time.since,
            until=time.until,
            zone=settings.zone,
            limit=most,
            traced=settings["traces"],
        )
        return replace(found, notices=(entries if narrowed is None else narrowed).notices)

    def forget(self, scope: Scope) -> int:
        """Forget all that was noted, of every agent; of how many answers that was. Only the person may.

        Raises `PersonOnlyError`, `StorageError`."""
        return forget_uses(self.opened.ports, scope)
