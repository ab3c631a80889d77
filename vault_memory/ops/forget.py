"""Removing a memory from the vault; history keeps it."""

from __future__ import annotations

import hashlib

from vault_memory.config.settings import Settings
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Operation, agent_author
from vault_memory.ops.edit import current
from vault_memory.ops.write import Step, keep_persons_version, perform
from vault_memory.ports import Ports


def forget(
    ports: Ports, settings: Settings, scope: Scope, ref: str, *, if_match: str | None = None
) -> Written:
    """Delete one memory's file, in a commit of its own."""
    with ports.lock.held(wait=settings["lock_seconds"]):
        entry, found = current(ports, scope, ref, if_match)
        keep_persons_version(ports, entry.path, found.content, entry.title)
        operation = Operation(
            Op.FORGET,
            entry.path,
            None,
            hashlib.sha256(found.content).hexdigest(),
            commit_message(Op.FORGET, entry.title, memory_id=entry.id, agent=scope.agent),
            agent_author(scope.agent) if scope.agent is not None else None,
        )
        [written] = perform(ports, settings.zone, [Step(operation, None, entry.id, entry.title)])
        return written
