"""What changed since a look, and the agents of a vault, as JSON."""

from __future__ import annotations

from vault_memory.model.agents import Agents
from vault_memory.model.changes import Changes
from vault_memory.model.wire import Json, moment


def changes(found: Changes) -> Json:
    """The events, the newest first, and the token of the next look."""
    return {
        "since": found.since,
        "next": found.token,
        "basis": found.basis.value,
        "events": [
            {
                "what": one.what.value,
                "id": one.entry.id,
                "path": one.entry.path,
                "from": one.came_from,
                "title": one.entry.title,
                "tags": list(one.entry.tags),
                "source_agent": one.entry.source_agent,
                "version": one.entry.version,
                "by": list(one.by),
                "notify": one.named,
            }
            for one in found.events
        ],
        "omitted": found.omitted,
        "notices": list(found.notices),
    }


def agents(found: Agents) -> Json:
    """Every agent."""
    return {
        "agents": [
            {
                "name": one.name,
                "memories": one.memories,
                "last": moment(one.last),
                "namespaces": list(one.namespaces),
                "proposals": one.proposals,
                "valid": one.valid,
            }
            for one in found.agents
        ],
        "notices": list(found.notices),
    }
