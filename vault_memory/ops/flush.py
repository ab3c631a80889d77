"""Committing now what waits, and telling what still does."""

from __future__ import annotations

from vault_memory.config.settings import Settings
from vault_memory.model.health import Flushed, Waiting
from vault_memory.model.namespace import Scope
from vault_memory.ops.settle import settle, waiting
from vault_memory.ports import Ports, Progress, no_progress


def flush(ports: Ports, settings: Settings, scope: Scope, *, progress: Progress = no_progress) -> Flushed:
    """Commit all that waits, whoever wrote it; the outcome names what the scope may read.

    Raises `LockedError` where another vmem commits or writes all the while.
    """
    open_ones = [one.number for one in ports.journal.pending() if scope.may_read(one.operation.path)]
    if ports.commits is not None:
        report = ports.commits.now(open_ones)
    else:
        report = settle(ports, wait=settings["lock_seconds"], progress=progress)
    left = [one for one in waiting(ports) if scope.may_read(one.operation.path)]
    return Flushed(
        sum(number in report.commits for number in open_ones),
        tuple(
            Waiting(
                one.operation.path,
                one.operation.op.value,
                report.waiting.get(one.number) or one.reason or "it was written this moment",
            )
            for one in left
        ),
    )
