"""The walk that every write takes: intent, file, index from the bytes read back, commit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from vault_memory.errors import ConflictError, SidecarError, VmemError
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import CommitReport, FileState, Intent, Op, Operation
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ops.settle import keep_waiting, settle
from vault_memory.ports import Ports, Progress, no_progress

_UNNUMBERED = 0
"""The number of an intent that the journal, which counts from 1, knows nothing of."""

MANY = 20
"""From so many files on, a write reports its progress."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation and the bytes it leaves (`None`: the file is to go).

    `done` marks a file that already holds those bytes (an editor wrote it), so that only index
    and commit are left to do.
    """

    operation: Operation
    content: bytes | None
    id: str | None
    title: str
    done: bool = False


def perform(
    ports: Ports, zone: ZoneInfo, steps: Sequence[Step], *, progress: Progress = no_progress
) -> list[Written]:
    """Carry the steps out, in order. The caller holds the vault's lock.

    If a file can't be written its error is raised; the steps before it stand and are committed,
    and the others never began.
    """
    ports.files.sweep()
    ports.history.heal()
    intents = ports.journal.open(
        [step.operation for step in steps], branch=ports.history.state().branch, at=ports.clock.now()
    )
    failure: VmemError | None = None
    done = 0
    for step, intent in zip(steps, intents, strict=True):
        try:
            _put(ports, step)
        except VmemError as error:
            # A refusal left everything as it was. A disk that failed may have done so after the file
            # had its name: then the intent stays, and the file's bytes decide.
            begun = intent.number if isinstance(error, ConflictError) else intent.number + 1
            ports.journal.close([left.number for left in intents if left.number >= begun])
            failure = error
            break
        done += 1
        if len(steps) >= MANY:
            progress("writing memories", done, len(steps))
    notices = _index(ports, zone, steps[:done])
    report = settle(ports, progress=progress)
    if report.waiting:
        keep_waiting(
            ports, {intent.number: step.content for step, intent in zip(steps[:done], intents, strict=False)}
        )
    if failure is not None:
        raise failure
    return [_outcome(step, intent, report, notices) for step, intent in zip(steps, intents, strict=True)]


def keep_persons_version(ports: Ports, path: VaultPath, content: bytes, title: str) -> None:
    """Commit a person's uncommitted version of a file as theirs, before vmem changes the file.

    It never enters the journal: after a kill or a refusal, an intent would some day commit a
    person's draft that no operation stands behind any more.
    Raises `ConflictError` where part of it is staged, or where git can't take it now.
    """
    settle(ports)
    state = ports.history.file_state(path)
    if state is FileState.PARTLY_STAGED:
        raise ConflictError(
            path,
            "part of your change to it is staged",
            hint="commit or unstage it first: git status shows it",
        )
    if state not in (FileState.MODIFIED, FileState.UNTRACKED) or ports.history.ignored(path):
        return
    version = hashlib.sha256(content).hexdigest()
    if any(_is_ours(intent, path, version) for intent in ports.journal.pending()):
        return  # it only waits for its commit
    before = ports.history.head_bytes(path)
    operation = Operation(
        Op.PERSON,
        path,
        version,
        hashlib.sha256(before).hexdigest() if before is not None else None,
        commit_message(Op.PERSON, title),
        None,
    )
    report = ports.history.commit([Intent(_UNNUMBERED, operation, None, ports.clock.now())])
    if _UNNUMBERED not in report.commits:
        reason = report.waiting.get(_UNNUMBERED) or report.unversioned.get(_UNNUMBERED)
        raise ConflictError(
            path,
            f"it holds a change of yours that git can't commit now: {reason}",
            hint="commit or revert it first, so that your version can't be lost",
        )


def _is_ours(intent: Intent, path: VaultPath, version: str) -> bool:
    """Whether vmem itself wrote that version of the file, so that nothing of a person's is in it."""
    operation = intent.operation
    return operation.op is not Op.PERSON and operation.path == path and operation.version == version


def _put(ports: Ports, step: Step) -> None:
    operation = step.operation
    if step.done:
        return
    if step.content is not None:
        ports.files.write(operation.path, step.content, replacing=operation.before)
    else:
        assert operation.before is not None, "a removal names the bytes it removes"
        ports.files.remove(operation.path, replacing=operation.before)


def _index(ports: Ports, zone: ZoneInfo, steps: Sequence[Step]) -> tuple[str, ...]:
    """Put the files just written into the index. The memory is safe without: a refresh catches up."""
    paths = [step.operation.path for step in steps]
    if not paths or not ports.index.writable:
        return (f"not in the search index yet: {ports.index.notice}",) if paths and ports.index.notice else ()
    try:
        refresh_paths(ports, zone, paths)
    except SidecarError as error:
        return (f"not in the search index yet: {error.message}",)
    return ()


def _outcome(step: Step, intent: Intent, report: CommitReport, notices: tuple[str, ...]) -> Written:
    number = intent.number
    reason = report.waiting.get(number) or report.unversioned.get(number)
    commit = report.commits.get(number)
    if commit is None and reason is None:
        reason = "the file was changed by someone else at the same moment"
    return Written(
        step.operation.op,
        step.operation.path,
        step.id,
        step.title,
        step.operation.version,
        commit,
        reason,
        notices=notices,
    )
