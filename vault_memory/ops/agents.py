"""The agents of a vault, by its memories, its commits and their proposals."""

from __future__ import annotations

from datetime import datetime

from vault_memory.errors import GitError
from vault_memory.model.agents import Agents, agents_in
from vault_memory.model.namespace import Scope
from vault_memory.ops.propose import names
from vault_memory.ports import Ports

COMMITS_READ = 1_000
"""So many commits are looked through for the last one of each agent."""


def agents(ports: Ports, scope: Scope, *, notices: tuple[str, ...] = ()) -> Agents:
    """By name; of each only what the scope may see. An agent sees no proposals but its own."""
    entries = ports.index.entries(scope)
    commits: dict[str, datetime] = {}
    open_ones: list[str] = []
    try:
        if ports.history.state().head is not None:
            for revision in ports.history.log(None, limit=COMMITS_READ):
                if revision.agent is not None and any(map(scope.may_read, revision.paths)):
                    commits.setdefault(revision.agent, revision.when)
            open_ones = [one.agent for one, _ in names(ports, scope)]
    except GitError as error:
        notices = (*notices, f"told by dates alone, since git can't be asked: {error.message}")
    return Agents(agents_in(entries, commits=commits, proposals=open_ones), notices)
