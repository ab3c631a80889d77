"""The walk that every write takes: intent, file, index from the bytes read back, commit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from vault_memory.errors import ConflictError, SidecarError, VmemError
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import CommitReport, FileState, Intent, Op, Operation
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ops.rules import refuse_to_commit
from vault_memory.ops.settle import keep_waiting, settle
from vault_memory.ops.whole import Before, finish_before, put, take_back
from vault_memory.ports import Ports, Progress, no_progress

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
    like: VaultPath | None = None
    """The file from which a new one has its mode and owner: the one that it comes of by a move."""


def one_commit(ports: Ports, steps: Iterable[Step]) -> list[Step]:
    """The steps under one new batch, so that they make one commit; removals come last.

    Their operations must have op, message and author in common, and no path twice.
    """
    batch = ports.ids.new(ports.clock.now())
    together = [replace(step, operation=replace(step.operation, batch=batch)) for step in steps]
    assert len({(one.operation.op, one.operation.message, one.operation.author) for one in together}) <= 1
    assert len({one.operation.path for one in together}) == len(together)
    return sorted(together, key=lambda step: step.content is None)


def perform(
    ports: Ports,
    zone: ZoneInfo,
    steps: Sequence[Step],
    *,
    whole: bool = False,
    progress: Progress = no_progress,
) -> list[Written]:
    """Carry the steps out, in order. The caller holds the vault's lock.

    If a file can't be written its error is raised; the steps before it stand and are committed,
    and the others never began. With `whole`, which asks for steps of one batch, those before it are
    taken back instead, and what a kill left half done the next write finishes.
    """
    ports.files.sweep()
    ports.history.heal()
    finish_before(ports, [step.operation.path for step in steps])
    intents = ports.journal.open(
        [step.operation for step in steps], branch=ports.history.state().branch, at=ports.clock.now()
    )
    numbers = [intent.number for intent in intents]
    if whole:
        assert None not in {step.operation.batch for step in steps}, "only a batch is known after a kill"
        ports.journal.keep({number: step.content or b"" for number, step in zip(numbers, steps, strict=True)})
    done, failure = _put_all(ports, steps, numbers, whole, progress)
    notices = _index(ports, zone, steps if whole else steps[:done])
    report = settle(ports, progress=progress)
    if report.waiting:
        if whole and failure is None:  # all is done, and nothing will have to be finished
            ports.journal.keep(dict.fromkeys(numbers))
        keep_waiting(
            ports, {number: step.content for number, step in zip(numbers, steps[:done], strict=False)}
        )
    if failure is not None:
        raise failure
    return [_outcome(step, number, report, notices) for step, number in zip(steps, numbers, strict=True)]


def _put_all(
    ports: Ports, steps: Sequence[Step], numbers: Sequence[int], whole: bool, progress: Progress
) -> tuple[int, VmemError | None]:
    """How many of the steps are done, and why the next one is not. Closes the intents of what never began."""
    taken: list[Before] = []
    for done, step in enumerate(steps):
        operation = step.operation
        try:
            if whole:
                found = ports.files.read(operation.path)
                taken.append((operation.path, operation.version, found.content if found else None))
            if not step.done:
                put(ports, operation.path, step.content, now=operation.before, like=step.like)
        except VmemError as error:
            # A refusal left everything as it was. A disk that failed may have done so after the file
            # had its name: then the intent stays, and the file's bytes decide.
            refused = isinstance(error, ConflictError)
            if not whole:
                ports.journal.close(numbers[done if refused else done + 1 :])
            elif take_back(ports, taken[:done] if refused else taken):
                ports.journal.close(numbers)
            return done, error
        if len(steps) >= MANY:
            progress("writing memories", done + 1, len(steps))
    return len(steps), None


def keep_persons_version(ports: Ports, path: VaultPath, content: bytes, title: str) -> None:
    """Commit a person's uncommitted version of a file as theirs, before vmem changes the file.

    Raises `ConflictError` where part of it is staged, or where git can't take it now.
    """
    keep_persons_versions(ports, [(path, content, title)])


def keep_persons_versions(ports: Ports, files: Iterable[tuple[VaultPath, bytes, str]]) -> None:
    """The same for many files, each given as (path, bytes, title); one commit each.

    They never enter the journal: after a kill or a refusal, an intent would some day commit a
    person's draft that no operation stands behind any more.
    """
    settle(ports)
    pending = ports.journal.pending()
    intents: list[Intent] = []
    for number, (path, content, title) in enumerate(files):
        operation = _persons_change(ports, pending, path, content, title)
        if operation is not None:
            # The journal counts from 1, so it knows nothing of these numbers.
            intents.append(Intent(-number, operation, None, ports.clock.now()))
    if not intents:
        return
    report = ports.history.commit(intents)
    for intent in intents:
        if intent.number not in report.commits:
            reason = report.waiting.get(intent.number) or report.unversioned.get(intent.number)
            raise ConflictError(
                intent.operation.path,
                f"it holds a change of yours that git can't commit now: {reason}",
                hint="commit or revert it first, so that your version can't be lost",
            )


def _persons_change(
    ports: Ports, pending: Sequence[Intent], path: VaultPath, content: bytes, title: str
) -> Operation | None:
    """The operation that commits what a person changed in a file, if they did."""
    state = ports.history.file_state(path)
    entry = ports.index.entry(path)
    if entry is not None and entry.conflicted and state is not FileState.CLEAN:
        raise ConflictError(
            path,
            "a merge left its markers in it",
            hint="keep one side, delete the marker lines, then git add and commit it",
        )
    if state is FileState.PARTLY_STAGED:
        raise ConflictError(
            path,
            "part of your change to it is staged",
            hint="commit or unstage it first: git status shows it",
        )
    if state not in (FileState.MODIFIED, FileState.UNTRACKED) or ports.history.ignored(path):
        return None
    version = hashlib.sha256(content).hexdigest()
    if any(_is_ours(intent, path, version) for intent in pending):
        return None  # it only waits for its commit
    before = ports.history.head_bytes(path)
    refuse_to_commit(ports, path, content, before)
    return Operation(
        Op.PERSON,
        path,
        version,
        hashlib.sha256(before).hexdigest() if before is not None else None,
        commit_message(Op.PERSON, title),
        None,
    )


def _is_ours(intent: Intent, path: VaultPath, version: str) -> bool:
    """Whether vmem itself wrote that version of the file, so that nothing of a person's is in it."""
    operation = intent.operation
    return operation.op is not Op.PERSON and operation.path == path and operation.version == version


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


def _outcome(step: Step, number: int, report: CommitReport, notices: tuple[str, ...]) -> Written:
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
