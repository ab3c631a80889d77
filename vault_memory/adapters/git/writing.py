"""Committing and healing: the two writes of the `History` port."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from vault_memory.adapters.git import bulk, locate, lookups, mend, others, reasons
from vault_memory.adapters.git.access import Access
from vault_memory.adapters.git.batch import Batch, BlockedError
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.foreign import ForeignBatch, ForeignError, GitSettings
from vault_memory.adapters.git.identity import person
from vault_memory.adapters.git.landing import Lander
from vault_memory.adapters.git.locate import NotTrackedError, Place
from vault_memory.adapters.git.locks import HeldError, since
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.recent import RecordFile
from vault_memory.adapters.git.refs import MovedError
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.traces import Traces
from vault_memory.errors import GitError
from vault_memory.model.revision import Author, CommitReport, Intent
from vault_memory.ports import Progress, no_progress

_OLD_LOCK, _FOR_OLD_LOCKS = 10.0, 0.5
"""Seconds after which a lock is likely left by a dead git, and how long such a one is waited for."""


@dataclass(frozen=True, slots=True)
class Call:
    """What one call of the port brings: where, who, when, and for how long to wait for locks."""

    access: Access
    place: Place
    record: RecordFile
    identity: Author | None
    wait: float
    now: datetime
    now_ns: int

    def person(self, settings: Settings) -> Author | None:
        """Who commits."""
        return self.identity or person(settings)


def commit(call: Call, intents: Sequence[Intent], progress: Progress) -> CommitReport:
    """Commit what can be committed; everything else gets its reason. Raises `GitError`, `OSError`."""
    report = CommitReport({}, {}, {})
    tracked: dict[int, str] = {}
    for intent in intents:
        try:
            removal = intent.operation.version is None
            tracked[intent.number] = locate.resolve(call.place, intent.operation.path, removal=removal)
        except NotTrackedError as error:
            report.unversioned[intent.number] = str(error)
    try:
        with call.access.opened(call.place) as opened:
            _leave_out(report, tracked, partial(lookups.ignored, opened))
            _fast(call, opened, _left(intents, tracked, report), tracked, report, progress)
    except ForeignError as error:
        git = call.access.program(call.place, str(error))
        _leave_out(report, tracked, partial(lookups.ignored_by_git, git))
        _foreign(call, git, _left(intents, tracked, report), tracked, report, progress)
    return report


def heal(call: Call) -> None:
    """Take dead writers' leftovers away, finish what one had half landed, undo what a race did."""
    try:
        with call.access.opened(call.place) as opened:
            who = call.person(opened.settings)
            with _batch(call, opened, who or Author("vmem", "vmem@agents.invalid"), no_progress) as batch:
                _heal(batch, may_commit=who is not None)
    except (ForeignError, GitError):
        mend.sweep(call.place)


def _heal(batch: Batch, *, may_commit: bool) -> None:
    try:
        mend.sweep(batch.opened.place, lambda marker: mend.finish(batch.lander, marker))
        bulk.forget_dead_imports(batch.opened.git, batch.opened.place.commondir)
        if may_commit:
            batch.mend()
        else:
            mend.recheck(batch.lander, batch.record, batch.now_ns)
    except (HeldError, MovedError, GitRefusedError, BlockedError):
        # Somebody is at work in the repository; the operations are still open and come again.
        return


def _patience(call: Call) -> float:
    """Seconds to wait for git's locks. A dead git's lock never goes away, and each write would wait
    for it in full, with the vault's own lock in hand."""
    taken = since(os.path.join(call.place.gitdir, "index.lock"))
    old = taken is not None and call.now_ns / 1e9 - taken > _OLD_LOCK
    return min(call.wait, _FOR_OLD_LOCKS) if old else call.wait


@contextmanager
def _batch(call: Call, opened: Opened, who: Author, progress: Progress) -> Iterator[Batch]:
    runs = partial(others.at_work, opened.workdir)
    traces = Traces(call.place.gitdir, call.record.load().stirred, runs)
    if traces.are_fresh(call.now_ns):
        traces.wait()
    space = opened.scratch()
    space.open()
    traces.ours()
    try:
        lander = Lander(opened, space, _patience(call), lambda: mend.release(opened.place), traces)
        yield Batch(opened, lander, call.record, who, call.now, call.now_ns, progress)
    finally:
        bulk.forget_import(opened.git, opened.place.commondir, space.name)
        space.close()
        traces.ours()
        call.record.leave(traces.own)


def _fast(
    call: Call,
    opened: Opened,
    intents: Sequence[Intent],
    tracked: dict[int, str],
    report: CommitReport,
    progress: Progress,
) -> None:
    who = call.person(opened.settings)
    if who is None:
        report.waiting.update({intent.number: reasons.NO_IDENTITY for intent in intents})
        return
    with _batch(call, opened, who, progress) as batch:
        _heal(batch, may_commit=True)
        batch.commit(intents, tracked)
    _merge(report, batch)


def _foreign(
    call: Call,
    git: GitProgram,
    intents: Sequence[Intent],
    tracked: dict[int, str],
    report: CommitReport,
    progress: Progress,
) -> None:
    settings = GitSettings(git)
    who = call.person(settings)
    if who is None:
        report.waiting.update({intent.number: reasons.NO_IDENTITY for intent in intents})
        return
    mend.sweep(call.place)
    space = Scratch(call.place.commondir)
    space.open()
    try:
        batch = ForeignBatch(git, call.place, space, settings, who, call.now, _patience(call), progress)
        batch.commit(intents, tracked)
    finally:
        space.close()
    _merge(report, batch)


def _leave_out(report: CommitReport, tracked: dict[int, str], ignored: Callable[[str], bool]) -> None:
    for number, path in tracked.items():
        if number not in report.unversioned and ignored(path):
            report.unversioned[number] = reasons.IGNORED


def _left(intents: Sequence[Intent], tracked: dict[int, str], report: CommitReport) -> list[Intent]:
    return [
        intent for intent in intents if intent.number in tracked and intent.number not in report.unversioned
    ]


def _merge(report: CommitReport, batch: Batch | ForeignBatch) -> None:
    report.commits.update(batch.commits)
    report.unversioned.update(batch.unversioned)
    report.waiting.update(
        {
            number: reason
            for number, reason in batch.waiting.items()
            if number not in report.commits and number not in report.unversioned
        }
    )
