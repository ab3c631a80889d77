"""Finishing what the journal holds: intents become commits, and those that never will be are closed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from vault_memory.errors import StorageError
from vault_memory.model.revision import CommitReport, Intent
from vault_memory.ports import Ports, Progress, no_progress

NOTHING = CommitReport({}, {}, {})


def settle(ports: Ports, *, progress: Progress = no_progress) -> CommitReport:
    """Commit every open intent that can be. The caller holds the vault's lock.

    An intent whose write never happened (a kill came first) was never acknowledged and is closed;
    so is one whose file a person has changed since: that file is now theirs to commit.
    """
    pending = ports.journal.pending()
    if not pending:
        return NOTHING
    moot = _moot(ports, pending)
    rest = [intent for intent in pending if intent.number not in moot]
    report = ports.history.commit(rest, progress=progress) if rest else NOTHING
    ports.journal.close([*moot, *report.commits, *report.unversioned])
    return report


def waiting(ports: Ports) -> tuple[Intent, ...]:
    """The intents that a next good run will commit."""
    pending = ports.journal.pending()
    moot = _moot(ports, pending)
    return tuple(intent for intent in pending if intent.number not in moot)


def _moot(ports: Ports, pending: Sequence[Intent]) -> frozenset[int]:
    """The intents after the last one of their path whose outcome lies in the working tree."""
    standing: dict[str, int] = {}
    for intent in pending:
        if _stands(ports, intent):
            standing[intent.operation.path] = intent.number
    return frozenset(
        intent.number for intent in pending if intent.number > standing.get(intent.operation.path, -1)
    )


def _stands(ports: Ports, intent: Intent) -> bool:
    """Whether the working file is what the intent meant to leave there."""
    try:
        found = ports.files.read(intent.operation.path)
    except StorageError:
        return True  # it can't be told now: keep the intent
    if found is None:
        return intent.operation.version is None
    return intent.operation.version == hashlib.sha256(found.content).hexdigest()
