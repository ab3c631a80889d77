"""The probes of a vault that a resident keeps open."""

from __future__ import annotations

from vault_memory.evaluate.live import acknowledged, asked, called, checkout, protocol, saved, startup
from vault_memory.evaluate.probe import Probe

READING = (
    Probe("socket", "search and recall over the resident's socket, by keyword", asked.over_the_socket),
    Probe("agents", "what a recall costs as more agents ask", asked.of_many_agents),
    Probe("mcp", "recall as an agent's program asks it, by MCP", protocol.through_pipes),
    Probe("saves", "from a save in an editor to an answer that knows it", saved.saves),
    Probe("checkout", "from a git checkout to answers that know it", checkout.checkout),
    Probe("startup", "the start of a resident", startup.startup),
    Probe("meaning", "over the socket with the default embedder; the resident at rest", asked.by_meaning),
)
"""They leave the vault as it was, but for a line at the end of some memories."""
WRITING = (
    Probe("process", "whole commands while the resident is up", called.while_it_is_up),
    Probe("acknowledge", "remember over the socket, and when git has it", acknowledged.acknowledge),
)
"""They leave more memories in it."""
