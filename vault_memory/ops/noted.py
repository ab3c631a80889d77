"""Noting in the local traces which memories an answer gave."""

from __future__ import annotations

from vault_memory.model.hit import Recall
from vault_memory.model.namespace import Scope
from vault_memory.model.uses import Use, UsedMemory
from vault_memory.ports import Ports

DOOR = "recall"
"""What asked, as traces name it."""


def noted(ports: Ports, scope: Scope, recalled: Recall) -> Recall:
    """The same answer, once it is noted who was given it. Neither its text nor its question is kept."""
    entries = [item.hit.entry for item in recalled.items]
    memories = tuple([UsedMemory(entry.path, entry.id, entry.version) for entry in entries])
    ports.uses.note(Use(ports.clock.now(), scope.agent, DOOR, None, recalled.tokens, 0, memories))
    return recalled
