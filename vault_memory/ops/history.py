"""What git knows of memories, and bringing an earlier state back by a new commit."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    GitError,
    MemoryNotFoundError,
    NotFoundError,
    RevisionNotFoundError,
    UsageError,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import commit_message, subject_of
from vault_memory.model.namespace import Scope, VaultPath, folder_of, parse_path
from vault_memory.model.naming import file_name
from vault_memory.model.outcome import Written
from vault_memory.model.revision import CommitReport, Intent, Op, Operation, Revision, agent_author
from vault_memory.ops.removed import Removed, find_removed
from vault_memory.ops.resolve import resolve
from vault_memory.ops.settle import settle, waiting
from vault_memory.ops.write import Step, perform
from vault_memory.ports import Ports

MAKING = frozenset({Op.REMEMBER, Op.RESTORE})
"""Operations before which there was no file."""


def log(ports: Ports, scope: Scope, ref: str | None, *, limit: int | None) -> list[Revision]:
    """Commits that touched memories, newest first. A scope sees only what it may read of them."""
    if limit is not None and limit < 1:
        raise UsageError(f"{limit} can't be a number of commits", hint="give 1 or more, or None for all")
    if ref is None:
        return list(islice(_visible(scope, ports.history.log(None, limit=None)), limit))
    try:
        path = resolve(ports, scope, ref).path
    except MemoryNotFoundError as never_known:
        try:
            path = find_removed(ports, scope, ref).path
        except MemoryNotFoundError:
            raise never_known from None
    mixed = _mixed(ports, scope)
    return list(islice(_visible(scope, ports.history.log(path, limit=None), mixed), limit))


def restore(ports: Ports, settings: Settings, scope: Scope, ref: str) -> Written:
    """Bring back a memory that was removed, as it was last."""
    with ports.lock.held(wait=settings["lock_seconds"]):
        settle(ports)
        try:
            removed = find_removed(ports, scope, ref)
        except MemoryNotFoundError:
            _refuse_what_is_there(ports, scope, ref)
            raise
        if removed.lives_at is not None:
            raise _nothing_to_restore(removed.lives_at)
        path = _free_path(ports, removed)
        scope.check_write(path)
        return _put_back(ports, settings, scope, path, removed.content, Op.RESTORE, undoes=None)


def undo(ports: Ports, settings: Settings, scope: Scope) -> Written:
    """Take back the caller's last operation that is not yet undone, by a new commit."""
    with ports.lock.held(wait=settings["lock_seconds"]):
        _refuse_while_one_waits(settle(ports), waiting(ports), scope)
        undone: set[str] = set()
        undos: Counter[tuple[str, ...]] = Counter()
        for revision in ports.history.log(None, limit=None):
            if revision.op is Op.UNDO:
                undone.add(revision.undoes or "")
                undos[revision.subject, *revision.paths] += 1
            if not _undoable(revision, scope, undone):
                continue
            try:
                return replace(_undo(ports, settings, scope, revision), undid=revision.subject)
            except ConflictError:
                # After a rebase an undo names a commit that is no longer in history: then its
                # words tell which one it took back.
                words = subject_of(commit_message(Op.UNDO, revision.subject))
                if not undos[words, *revision.paths]:
                    raise
                undos[words, *revision.paths] -= 1
    raise NotFoundError("there is no operation to undo", hint="vmem log shows what was done")


def _refuse_while_one_waits(report: CommitReport, intents: Sequence[Intent], scope: Scope) -> None:
    """What waits is newer than all that is in git: undoing the last commit would undo the wrong one."""
    for intent in reversed(intents):
        operation = intent.operation
        if scope.agent is None or operation.author == agent_author(scope.agent):
            reason = report.waiting.get(intent.number, "git was not ready")
            raise ConflictError(
                operation.path,
                f"{subject_of(operation.message)!r} came last and waits for its commit: {reason}",
                hint="undo takes back commits; mend that first, or edit, forget or restore the memory itself",
            )


def _undoable(revision: Revision, scope: Scope, undone: set[str]) -> bool:
    if revision.op in (None, Op.UNDO, Op.PERSON) or revision.commit in undone:
        return False
    mine = scope.agent is None or revision.agent == scope.agent
    return mine and all(scope.may_write(path) for path in revision.paths)


def _undo(ports: Ports, settings: Settings, scope: Scope, revision: Revision) -> Written:
    path, before, after = _around(ports, revision)
    found = ports.files.read(path)
    if (found.content if found is not None else None) != after:
        raise ConflictError(
            path,
            f"it was changed after {revision.subject!r}",
            hint=f"vmem log {path} shows by whom; nothing was undone",
        )
    if before is not None:
        return _put_back(ports, settings, scope, path, before, Op.UNDO, undoes=revision)
    assert after is not None, "a commit changes its file"
    memory = parse_memory(path, after, zone=settings.zone)
    operation = Operation(
        Op.UNDO,
        path,
        None,
        hashlib.sha256(after).hexdigest(),
        commit_message(
            Op.UNDO, revision.subject, memory_id=memory.id, agent=scope.agent, undoes=revision.commit
        ),
        agent_author(scope.agent) if scope.agent is not None else None,
    )
    [written] = perform(ports, settings.zone, [Step(operation, None, memory.id, memory.title)])
    return written


def _around(ports: Ports, revision: Revision) -> tuple[VaultPath, bytes | None, bytes | None]:
    """The one path of an operation's commit, and its file before and after."""
    path = parse_path(revision.paths[0])
    before = None
    if revision.op not in MAKING or len(revision.paths) > 1:
        try:
            before = ports.history.bytes_at(f"{revision.commit}^", path)
        except RevisionNotFoundError as error:
            raise GitError(
                f"what was there before {revision.subject!r} is not in this repository",
                hint="in a shallow clone, git fetch --unshallow brings the rest; nothing was undone",
            ) from error
    if len(revision.paths) > 1:
        raise ConflictError(
            path,
            f"the commit of {revision.subject!r} holds {len(revision.paths)} notes",
            hint=f"a hook added to it; take it back with: git revert {revision.commit[:12]}",
        )
    return path, before, ports.history.bytes_at(revision.commit, path)


def _put_back(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    path: VaultPath,
    content: bytes,
    op: Op,
    *,
    undoes: Revision | None,
) -> Written:
    found = ports.files.read(path)
    memory = parse_memory(path, content, zone=settings.zone)
    if found is not None and op is Op.RESTORE:
        raise ConflictError(path, "a file is there already", hint=f"vmem show {path}")
    operation = Operation(
        op,
        path,
        hashlib.sha256(content).hexdigest(),
        hashlib.sha256(found.content).hexdigest() if found is not None else None,
        commit_message(
            op,
            undoes.subject if undoes else memory.title,
            memory_id=memory.id,
            agent=scope.agent,
            undoes=undoes.commit if undoes else None,
        ),
        agent_author(scope.agent) if scope.agent is not None else None,
    )
    [written] = perform(ports, settings.zone, [Step(operation, content, memory.id, memory.title)])
    return written


def _mixed(ports: Ports, scope: Scope) -> frozenset[str]:
    """The commits that hold a memory which the scope may not read; the log of one path can't tell."""
    if scope.agent is None:
        return frozenset()
    revisions = ports.history.log(None, limit=None)
    return frozenset(one.commit for one in revisions if not all(map(scope.may_read, one.paths)))


def _visible(
    scope: Scope, revisions: Iterator[Revision], mixed: Collection[str] = frozenset()
) -> Iterator[Revision]:
    """Commits with at least one readable path, without the paths that are not."""
    for revision in revisions:
        paths = tuple(path for path in revision.paths if scope.may_read(path))
        if len(paths) == len(revision.paths) and revision.commit not in mixed:
            yield revision
        elif paths:
            # The subject may name a memory that this caller may not read.
            yield replace(revision, subject="(several memories)", memory_id=None, paths=paths)


def _refuse_what_is_there(ports: Ports, scope: Scope, ref: str) -> None:
    try:
        path = resolve(ports, scope, ref).path
    except (MemoryNotFoundError, AmbiguousRefError):
        return
    if ports.files.stat(path) is not None:
        raise _nothing_to_restore(path)


def _nothing_to_restore(path: VaultPath) -> ConflictError:
    return ConflictError(
        path,
        "it is there, so there is nothing to restore",
        hint=f"vmem log {path} shows what was done to it",
    )


def _free_path(ports: Ports, removed: Removed) -> VaultPath:
    """Where a removed memory was; beside it, if another took its name."""
    if ports.files.stat(removed.path) is None:
        return removed.path
    folder = folder_of(removed.path)
    name = file_name(removed.memory.title, ports.files.names_in(folder), removed.memory.id or "restored")
    return VaultPath(f"{folder}/{name}" if folder else name)
