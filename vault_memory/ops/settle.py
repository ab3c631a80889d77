"""Finishing what the journal holds: intents become commits, and those that never will be are closed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from vault_memory.errors import ConflictError, GitError, NotFoundError, SidecarError, StorageError
from vault_memory.model.revision import CommitReport, Intent, Operation, ThrownAway, version_of
from vault_memory.ops.whole import finish, put, unfinished, version_there
from vault_memory.ports import Ports, Progress, no_progress

JUST_NOW = timedelta(seconds=5)
"""So long after a write a file that is as it was before was set back by a git that did not know of it."""

PATIENCE, _GLANCE = 1.0, 0.02
"""Seconds that a person's git is waited for, and between two looks at whether it has come to its end."""


@dataclass(slots=True)
class _Due:
    """What a look at the journal gave: what is to be committed, and what became of the rest already."""

    ready: list[Intent] = field(default_factory=list)
    waiting: dict[int, str] = field(default_factory=dict)


def settle(
    ports: Ports, *, wait: float, own: Sequence[Intent] = (), progress: Progress = no_progress
) -> CommitReport:
    """Commit every open intent that can be. The caller does not hold the vault's lock.

    That lock is held for the look at journal and files alone, during which every open intent is a whole
    write; git, hooks and signing have only `ports.committing`, so no writer waits for them. Of `own`
    the report tells also what another process has committed meanwhile. Raises `LockedError` where
    another one commits or writes for longer than `wait` seconds.

    An intent whose write never happened (a kill came first) was never acknowledged and is closed;
    so is one whose file a person has changed since: that file is now theirs to commit. What a person's
    git has set back is put back: by a reset or a stash before it could be committed, when a rebase was given
    up, by a merge that found no way. A batch that must be whole and of which a kill left a part is finished.
    """
    with ports.committing.held(wait=wait):
        with ports.lock.held(wait=wait):
            ports.files.sweep()
            _take_up(ports)
            due = _look(ports, own)
        if not due.ready:
            ports.history.heal()
            return CommitReport({}, due.waiting, {})
        report = ports.history.commit(due.ready, progress=progress)
        _look_again(ports, [one for one in due.ready if one.number in report.commits], wait)
        with contextlib.suppress(SidecarError):
            # What was done is done, and told; the next settle finds it in git and closes it then.
            ports.journal.close([*report.commits, *report.unversioned])
            ports.journal.tell(report.waiting | due.waiting)
    return replace(report, waiting=report.waiting | due.waiting)


def _take_up(ports: Ports) -> None:
    """Open anew, and write again, what a person's git threw away, unless its file is another by now: it is as
    if that had never been in git. What can't be now is found the next time."""
    thrown = ports.history.thrown_away()
    if thrown:  # what is about to be committed is as it is by our own doing
        open_ones = {one.operation.path for one in ports.journal.pending()}
        thrown = [one for one in thrown if one.path not in open_ones]
    for commit in dict.fromkeys(one.commit for one in thrown):
        files = [one for one in thrown if one.commit == commit]
        with contextlib.suppress(StorageError, ConflictError):
            if all(version_there(ports, one.path) == one.before for one in files):
                _open_anew(ports, files)


def _open_anew(ports: Ports, files: Sequence[ThrownAway]) -> None:
    now = ports.clock.now()
    batch = ports.ids.new(now) if len(files) > 1 else None
    intents = ports.journal.open(
        [
            Operation(one.op, one.path, version_of(one.content), one.before, one.message, one.author, batch)
            for one in files
        ],
        branch=ports.history.state().branch,
        at=now,
    )
    contents = zip(intents, files, strict=True)
    ports.journal.keep({intent.number: one.content or b"" for intent, one in contents})
    for one in files:
        put(ports, one.path, one.content, now=one.before)


def _look(ports: Ports, own: Sequence[Intent]) -> _Due:
    """Put in order what a kill or a rebase left, close what will never be, and say what can be committed."""
    pending = ports.journal.pending()
    known = {intent.number for intent in pending}
    # Another process closed these. Git finds the commits of those that are in it.
    gone = [intent for intent in own if intent.number not in known]
    if not pending and not gone:
        return _Due()
    undone = finish(ports, pending)
    blocked = ports.history.state().blocked
    if blocked is not None:
        # Nothing to gain by looking at every file that waits: without a repository they all do.
        return _Due(waiting={intent.number: blocked for intent in (*pending, *gone)})
    stuck = undone | _put_all_back(ports, pending)
    moot = _moot(ports, pending).difference(stuck)
    with contextlib.suppress(SidecarError):
        ports.journal.close(moot)
    ready = [intent for intent in pending if intent.number not in moot and intent.number not in stuck]
    return _Due(sorted((*ready, *gone), key=lambda intent: intent.number), stuck)


def _look_again(ports: Ports, committed: Sequence[Intent], wait: float) -> None:
    """Put back what a person's git set back while a commit waited for it to let go of the index.

    The commit has what was written; without this their files would be older, and seem to be their change.
    Where they have gone to another branch since, which does not have it, the file is rightly as it is: so
    their git is let come to its end first.
    """
    changes = [one for one in committed if one.branch is None or one.operation.before is not None]
    if all(_stands(ports, one) for one in changes):
        return
    end = time.monotonic() + PATIENCE
    while ports.history.busy() and time.monotonic() < end:
        time.sleep(_GLANCE)
    # They are committed whatever comes of this.
    with contextlib.suppress(SidecarError, GitError), ports.lock.held(wait=wait):
        _put_all_back(ports, [one for one in changes if _is_in_head(ports, one)])


def _is_in_head(ports: Ports, intent: Intent) -> bool:
    """Whether HEAD holds just what the intent left. Raises `GitError`."""
    content = ports.history.head_bytes(intent.operation.path)
    return version_of(content) == intent.operation.version


def waiting(ports: Ports) -> tuple[Intent, ...]:
    """The intents that a next good run will commit, those too that it will first put back."""
    pending = ports.journal.pending()
    coming = [*_reset(ports, pending), *unfinished(ports, pending)]
    moot = _moot(ports, pending) - {intent.number for intent in coming}
    return tuple(intent for intent in pending if intent.number not in moot)


def _reset(ports: Ports, pending: Sequence[Intent]) -> list[Intent]:
    """The last intents of their paths whose file is again as it was before, and whose bytes are kept.

    A person may also take a change back that has waited for long; during a rebase they can't mean that."""
    last = {intent.operation.path: intent for intent in pending}
    now = ports.clock.now()
    return [
        intent
        for intent in last.values()
        if (intent.branch is None or (intent.operation.batch is None and now - intent.at < JUST_NOW))
        and not _stands(ports, intent)
        and ports.journal.kept(intent.number) is not None
        and version_there(ports, intent.operation.path) == _first_before(pending, intent)
        and not _is_left_behind(ports, intent)
    ]


def _is_left_behind(ports: Ports, intent: Intent) -> bool:
    """Whether a person has committed it with all that was there, and gone to another branch."""
    branch = intent.branch
    if branch is None or branch == ports.history.state().branch:
        return False
    with contextlib.suppress(GitError, NotFoundError):  # the branch may be gone
        return version_of(ports.history.bytes_at(branch, intent.operation.path)) == intent.operation.version
    return False


def _first_before(pending: Sequence[Intent], last: Intent) -> str | None:
    """What the file was before the first of the waiting changes to it."""
    return next(intent.operation.before for intent in pending if intent.operation.path == last.operation.path)


def _put_all_back(ports: Ports, pending: Sequence[Intent]) -> dict[int, str]:
    """Put back what a person's git took away; the numbers that can't be now, with the reason.

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
    put(ports, operation.path, content, now=version_there(ports, operation.path))


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
        return version_there(ports, intent.operation.path) == intent.operation.version
    except StorageError:
        return True  # it can't be told now: keep the intent
