"""Taking back the last operation: every file of its commit, by one new commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, GitError, NotFoundError, RevisionNotFoundError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import commit_message, subject_of
from vault_memory.model.namespace import Scope, VaultPath, parse_path
from vault_memory.model.outcome import Written
from vault_memory.model.revision import SEVERAL, Op, Operation, Revision, author_of, version_of
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.settle import waiting
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, bring_back, one_commit
from vault_memory.ports import Ports, Progress, no_progress

MAKING = frozenset({Op.REMEMBER, Op.RESTORE})
"""Operations before which there was no file."""


@dataclass(frozen=True, slots=True)
class Around:
    """One file of a commit: its bytes before, after and now, `None` being no file."""

    path: VaultPath
    before: bytes | None
    after: bytes | None
    now: bytes | None


def undo(
    ports: Ports, settings: Settings, scope: Scope, *, progress: Progress = no_progress
) -> list[Written]:
    """Take back the caller's last operation that is not yet undone, by a new commit.

    An outcome for each file that this changes: a commit may have removed, moved or changed several.
    """
    turn = Turn(ports, settings["lock_seconds"], progress)

    def act() -> list[Written]:
        _refuse_while_one_waits(turn, scope)
        undone: set[str] = set()
        undos: Counter[tuple[str, ...]] = Counter()
        for revision in ports.history.log(None, limit=None):
            if revision.op is Op.UNDO:
                undone.add(revision.undoes or "")
                undos[revision.subject, *revision.paths] += 1
            if not _undoable(revision, scope, undone):
                continue
            try:
                written = _undo(turn, settings, scope, revision)
            except ConflictError:
                # After a rebase an undo names a commit that is no longer in history: then its
                # words tell which one it took back.
                words = subject_of(commit_message(Op.UNDO, revision.subject))
                if not undos[words, *revision.paths]:
                    raise
                undos[words, *revision.paths] -= 1
                continue
            return [replace(one, undid=revision.subject) for one in written]
        raise NotFoundError("there is no operation to undo", hint="vmem log shows what was done")

    turn.settle()
    return turn.committed(turn.take(act))


def _refuse_while_one_waits(turn: Turn, scope: Scope) -> None:
    """What waits is newer than all that is in git: undoing the last commit would undo the wrong one."""
    ports = turn.ports
    own = author_of(scope)
    waits = [one for one in waiting(ports) if own is None or one.operation.author == own]
    turn.need_committed(waits)
    if waits:
        operation = waits[-1].operation
        reason = ports.history.state().blocked or waits[-1].reason or "git was not ready"
        raise ConflictError(
            operation.path,
            f"{subject_of(operation.message)!r} came last and waits for its commit: {reason}",
            hint="undo takes back commits; mend that first, or edit, forget or restore the memory itself",
        )


def _undoable(revision: Revision, scope: Scope, undone: set[str]) -> bool:
    if revision.op in (None, Op.UNDO, Op.PERSON, Op.REVIEW) or revision.commit in undone:
        return False
    mine = scope.agent is None or revision.agent == scope.agent
    for path in revision.paths if mine else ():
        if scope.must_propose(path):
            scope.check_write(path)  # not passed over: it would take back an earlier one instead
    return mine and all(scope.may_write(path) for path in revision.paths)


def _undo(turn: Turn, settings: Settings, scope: Scope, revision: Revision) -> list[Written]:
    ports = turn.ports
    files = _around(ports, revision)
    changed = [file for file in files if file.now != file.after]
    # One of several that is back already, as by a restore, needs no more.
    back = [file for file in changed if len(files) > 1 and file.now == file.before]
    if len(changed) > len(back) or len(back) == len(files):
        raise _changed_after(revision, [file for file in changed if file not in back] or back, files)
    steps = _steps(settings, scope, revision, [file for file in files if file not in back])
    check_quotas(ports, scope, settings.zone, steps)
    if len(steps) > 1:
        steps = one_commit(ports, steps)
    return bring_back(turn, settings.zone, steps, whole=len(steps) > 1)


def _changed_after(revision: Revision, changed: Sequence[Around], files: Sequence[Around]) -> ConflictError:
    path = changed[0].path
    more = f" and {len(changed) - 1} more of its {len(files)} files were" if len(changed) > 1 else " was"
    return ConflictError(
        path,
        f"it{more} changed after {revision.subject!r}",
        hint=f"vmem log {path} shows by whom; nothing was undone",
    )


def _steps(settings: Settings, scope: Scope, revision: Revision, files: Sequence[Around]) -> list[Step]:
    """The steps back, all with the same message."""
    memories = [
        parse_memory(file.path, _there(file.before, file.after), zone=settings.zone) for file in files
    ]
    message = commit_message(
        Op.UNDO,
        revision.subject,
        memory_id=memories[0].id if len(files) == 1 else revision.memory_id,
        agent=scope.agent,
        undoes=revision.commit,
    )
    return [
        Step(
            Operation(
                Op.UNDO,
                file.path,
                version_of(file.before),
                version_of(file.now),
                message,
                author_of(scope),
            ),
            file.before,
            memory.id,
            memory.title,
        )
        for file, memory in zip(files, memories, strict=True)
    ]


def _around(ports: Ports, revision: Revision) -> list[Around]:
    """The files of an operation's commit. Only some operations make commits of several."""
    paths = [parse_path(path) for path in revision.paths]
    several = len(paths) > 1
    before: dict[VaultPath, bytes | None] = dict.fromkeys(paths)
    if revision.op not in MAKING or several:
        try:
            before = {path: ports.history.bytes_at(f"{revision.commit}^", path) for path in paths}
        except RevisionNotFoundError as error:
            raise GitError(
                f"what was there before {revision.subject!r} is not in this repository",
                hint="in a shallow clone, git fetch --unshallow brings the rest; nothing was undone",
            ) from error
    if several and revision.op not in SEVERAL:
        raise ConflictError(
            paths[0],
            f"the commit of {revision.subject!r} holds {len(paths)} notes",
            hint=f"a hook added to it; take it back with: git revert {revision.commit[:12]}",
        )
    files = [
        Around(path, before[path], ports.history.bytes_at(revision.commit, path), _now(ports, path))
        for path in paths
    ]
    link = next((file.path for file in files if file.before is file.after is None), None)
    if link is not None:
        raise ConflictError(
            link,
            f"what {revision.subject!r} removed is no note",
            hint=f"bring it back with: git checkout {revision.commit[:12]}^ -- {link}",
        )
    return files


def _now(ports: Ports, path: VaultPath) -> bytes | None:
    found = ports.files.read(path)
    return found.content if found is not None else None


def _there(*contents: bytes | None) -> bytes:
    """The first that is there: a commit changes its file, so one of both is."""
    return next(content for content in contents if content is not None)
