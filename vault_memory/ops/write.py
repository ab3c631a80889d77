"""The walk that every write takes under the vault's lock: intent, file, index from the bytes read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from vault_memory.errors import ConflictError, SidecarError, VmemError
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import FileState, Intent, Op, Operation, version_of
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ops.rules import refuse_to_commit, warning
from vault_memory.ops.turn import CommitFirstError, Turn
from vault_memory.ops.whole import Before, finish_before, put, take_back
from vault_memory.ports import Ports

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


def perform(turn: Turn, zone: ZoneInfo, steps: Sequence[Step], *, whole: bool = False) -> list[Written]:
    """Carry the steps out, in order, as an act of the turn or a part of one; the turn commits them later,
    and its `committed` completes the outcomes.

    If a file can't be written its error is raised; the steps before it stand and are committed,
    and the others never began. With `whole`, which asks for steps of one batch, those before it are
    taken back instead, and what a kill left half done the next write finishes. Raises
    `CommitFirstError` before anything is done where one of the files has a change that is not in git yet.
    """
    ports = turn.ports
    ports.files.sweep()
    paths = [step.operation.path for step in steps]
    pending = ports.journal.pending()
    turn.need_free(pending, paths)
    finish_before(ports, pending, paths)
    branch = ports.history.state().branch
    intents = ports.journal.open([step.operation for step in steps], branch=branch, at=ports.clock.now())
    contents = {one.number: step.content or b"" for one, step in zip(intents, steps, strict=True)}
    if whole:
        assert None not in {step.operation.batch for step in steps}, "only a batch is known after a kill"
        ports.journal.keep(contents)
    done, standing, failure = _put_all(turn, steps, [*contents], whole)
    turn.began(intents[:standing])
    notices = _index(ports, zone, steps if whole else steps[:done])
    if branch is None or not whole:
        # A person's git may set files back to what they were before this is in a commit: a reset or a stash
        # in the moment until then, a rebase that is given up. Without its bytes here, an acknowledged
        # change would go with it. A new file is none of git's yet, but in a rebase. What failed is not
        # acknowledged, and a batch whose bytes are kept would be taken for one that has to be whole.
        kept = [one for one in intents[:done] if branch is None or _is_set_back(one.operation)]
        notices += _keep(ports, {one.number: contents[one.number] for one in kept})
    elif failure is None:
        # All is done: nothing will have to be finished, whatever becomes of the files from here on.
        with suppress(SidecarError):  # the commit closes them
            ports.journal.keep(dict.fromkeys(contents))
    if failure is not None:
        raise failure
    return [_outcome(step, notices) for step in steps]


def bring_back(turn: Turn, zone: ZoneInfo, steps: Sequence[Step], *, whole: bool = False) -> list[Written]:
    """The same with contents of history: what looks like a secret in them is told, and not refused."""
    written = perform(turn, zone, steps, whole=whole)
    told = [warning(turn.ports, step.operation.path, step.content) for step in steps]
    return [replace(one, notices=(*one.notices, *more)) for one, more in zip(written, told, strict=True)]


def _keep(ports: Ports, contents: Mapping[int, bytes | None]) -> tuple[str, ...]:
    """Keep these bytes until the commit. What is written is written: a full disk here is a word, no error."""
    try:
        ports.journal.keep(contents)
    except SidecarError as error:
        return (f"no copy is kept until the commit: {error.message}",)
    return ()


def _is_set_back(operation: Operation) -> bool:
    """Whether git may set it back before it is committed: a file that git knows, changed by itself."""
    return operation.before is not None and operation.batch is None


def _put_all(
    turn: Turn, steps: Sequence[Step], numbers: Sequence[int], whole: bool
) -> tuple[int, int, VmemError | None]:
    """How many of the steps are done, how many intents stay open, and why the next step is not done.

    Closes the intents of what never began."""
    ports = turn.ports
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
            began = done if isinstance(error, ConflictError) else done + 1
            if not whole:
                ports.journal.close(numbers[began:])
                return done, began, error
            if not take_back(ports, taken[:began]):
                return done, len(steps), error
            ports.journal.close(numbers)
            return done, 0, error
        if len(steps) >= MANY:
            turn.progress("writing memories", done + 1, len(steps))
    return len(steps), len(steps), None


def keep_persons_version(turn: Turn, path: VaultPath, content: bytes, title: str) -> None:
    """See that a person's uncommitted version of a file is committed as theirs, before vmem changes the
    file: `CommitFirstError` where that is to be done.

    Raises `ConflictError` where part of it is staged.
    """
    keep_persons_versions(turn, [(path, content, title)])


def keep_persons_versions(turn: Turn, files: Iterable[tuple[VaultPath, bytes, str]]) -> None:
    """The same for many files, each given as (path, bytes, title); one commit each."""
    ports, looked_at = turn.ports, list(files)
    pending = ports.journal.pending()
    turn.need_free(pending, (path for path, _, _ in looked_at))
    operations = [_persons_change(ports, pending, *file) for file in looked_at]
    # The journal counts from 1, so it knows nothing of these numbers.
    intents = [
        Intent(-number, operation, None, ports.clock.now())
        for number, operation in enumerate(operations)
        if operation is not None
    ]
    if intents:
        raise CommitFirstError(persons=intents)


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
    version = version_of(content)
    if any(_is_ours(intent, path, version) for intent in pending):
        return None  # it only waits for its commit
    before = ports.history.head_bytes(path)
    refuse_to_commit(ports, path, content, before)
    return Operation(
        Op.PERSON,
        path,
        version,
        version_of(before),
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


def _outcome(step: Step, notices: tuple[str, ...]) -> Written:
    operation = step.operation
    return Written(
        operation.op, operation.path, step.id, step.title, operation.version, None, notices=notices
    )
