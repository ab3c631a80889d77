"""Finishing what the journal holds: intents become commits, and those that never will be are closed."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vault_memory.errors import ConflictError, SidecarError, StorageError
from vault_memory.model.revision import CommitReport, Intent
from vault_memory.ops.whole import finish, put, unfinished, version_of
from vault_memory.ports import Ports, Progress, no_progress

NOTHING = CommitReport({}, {}, {})


def settle(ports: Ports, *, progress: Progress = no_progress) -> CommitReport:
    """Commit every open intent that can be. The caller holds the vault's lock.

    An intent whose write never happened (a kill came first) was never acknowledged and is closed;
    so is one whose file a person has changed since: that file is now theirs to commit. What was
    written during a rebase, and went when the rebase was given up, is put back; a batch that must be
    whole and of which a kill left a part is finished.
    """
    pending = ports.journal.pending()
    if not pending:
        return NOTHING
    undone = finish(ports, pending)
    blocked = ports.history.state().blocked
    if blocked is not None:
        # Nothing to gain by looking at every file that waits: without a repository they all do.
        return CommitReport({}, {intent.number: blocked for intent in pending}, {})
    stuck = undone | _put_all_back(ports, pending)
    moot = _moot(ports, pending).difference(stuck)
    rest = [intent for intent in pending if intent.number not in moot and intent.number not in stuck]
    report = ports.history.commit(rest, progress=progress) if rest else NOTHING
    with contextlib.suppress(SidecarError):
        # What was done is done, and told; the next settle finds it in git and closes it then.
        ports.journal.close([*moot, *report.commits, *report.unversioned])
        ports.journal.tell(report.waiting | stuck)
    return replace(report, waiting=report.waiting | stuck)


def waiting(ports: Ports) -> tuple[Intent, ...]:
    """The intents that a next good run will commit, those too that it will first put back."""
    pending = ports.journal.pending()
    coming = [*_reset(ports, pending), *unfinished(ports, pending)]
    moot = _moot(ports, pending) - {intent.number for intent in coming}
    return tuple(intent for intent in pending if intent.number not in moot)


def keep_waiting(ports: Ports, contents: Mapping[int, bytes | None]) -> None:
    """Keep the bytes of writes that wait while HEAD names no branch.

    That is so during a rebase, and giving one up resets every file to what it was: without the
    bytes here, an acknowledged change would go with it.
    """
    waits = {intent.number for intent in ports.journal.pending() if intent.branch is None}
    ports.journal.keep({number: content or b"" for number, content in contents.items() if number in waits})


def _reset(ports: Ports, pending: Sequence[Intent]) -> list[Intent]:
    """The last intents of their paths whose file is again as it was before, and whose bytes are kept."""
    last = {intent.operation.path: intent for intent in pending}
    return [
        intent
        for intent in last.values()
        if intent.branch is None
        and not _stands(ports, intent)
        and ports.journal.kept(intent.number) is not None
        and version_of(ports, intent.operation.path) == _first_before(pending, intent)
    ]


def _first_before(pending: Sequence[Intent], last: Intent) -> str | None:
    """What the file was before the first of the waiting changes to it."""
    return next(intent.operation.before for intent in pending if intent.operation.path == last.operation.path)


def _put_all_back(ports: Ports, pending: Sequence[Intent]) -> dict[int, str]:
    """Put back what a rebase took away; the numbers that can't be now, with the reason.

    They keep waiting with their bytes, and nobody else's write fails for it.
    """
    stuck: dict[int, str] = {}
    for last in _reset(ports, pending):
        try:
            _put_back(ports, last)
        except (StorageError, ConflictError) as error:
            path = last.operation.path
            stuck |= {one.number: error.message for one in pending if one.operation.path == path}
    return stuck


def _put_back(ports: Ports, intent: Intent) -> None:
    operation = intent.operation
    content = ports.journal.kept(intent.number) or b"" if operation.version is not None else None
    put(ports, operation.path, content, now=version_of(ports, operation.path))


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
        return version_of(ports, intent.operation.path) == intent.operation.version
    except StorageError:
        return True  # it can't be told now: keep the intent
