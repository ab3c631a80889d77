"""Changing several memories in one commit, as the operations do that hold many."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from vault_memory.model.message import commit_message
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Operation, agent_author
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, one_commit, perform
from vault_memory.vault import Vault


def change_all(
    vault: Vault,
    op: Op,
    files: Mapping[str, bytes | None],
    *,
    whole: bool = False,
    agent: str | None = "akashi",
) -> list[Written]:
    """Bring these files to these bytes (`None`: none) in one commit."""
    ports = vault._opened.ports
    message = commit_message(op, "several", agent=agent)
    turn = Turn(ports, 10)

    def act() -> list[Written]:
        steps = []
        for path, content in files.items():
            found = ports.files.read(VaultPath(path))
            versions = (sha256(content), sha256(found.content if found else None))
            author = agent_author(agent) if agent else None
            operation = Operation(op, VaultPath(path), *versions, message, author)
            steps.append(Step(operation, content, None, path))
        return perform(turn, vault.settings.zone, one_commit(ports, steps), whole=whole)

    return turn.committed(turn.take(act))


def sha256(content: bytes | None) -> str | None:
    """The version that an operation names."""
    return hashlib.sha256(content).hexdigest() if content is not None else None
