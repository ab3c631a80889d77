"""What git knows of memories, and bringing an earlier state back by a new commit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC
from itertools import islice

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    MemoryNotFoundError,
    NotFoundError,
    RevisionNotFoundError,
    UnsafePathError,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope, VaultPath, parse_path
from vault_memory.model.outcome import Written
from vault_memory.model.ref import parse_ref
from vault_memory.model.revision import Op, Operation, Revision, agent_author
from vault_memory.ops.resolve import resolve
from vault_memory.ops.settle import settle
from vault_memory.ops.write import Step, perform
from vault_memory.ports import Ports

MAKING = frozenset({Op.REMEMBER, Op.RESTORE})
"""Operations before which there was no file."""


def log(ports: Ports, scope: Scope, ref: str | None, *, limit: int | None) -> list[Revision]:
    """Commits that touched memories, newest first. A scope sees only what it may read of them."""
    if ref is None:
        return list(islice(_visible(scope, ports.history.log(None, limit=None)), limit))
    try:
        path = resolve(ports, scope, ref).path
    except MemoryNotFoundError:
        path = _gone(ports, scope, ref)[1]
    return list(islice(_visible(scope, ports.history.log(path, limit=None)), limit))


def restore(ports: Ports, settings: Settings, scope: Scope, ref: str) -> Written:
    """Bring back a memory that was removed, as it was last."""
    with ports.lock.held(wait=settings["lock_seconds"]):
        settle(ports)
        revision, path = _gone(ports, scope, ref)
        scope.check_write(path)
        content = ports.history.bytes_at(f"{revision.commit}^", path)
        if content is None:
            raise MemoryNotFoundError(
                ref, hint="git has the removal but not the file before it (a shallow clone?)"
            )
        return _put_back(ports, settings, scope, path, content, Op.RESTORE, undoes=None)


def undo(ports: Ports, settings: Settings, scope: Scope) -> Written:
    """Take back the caller's last operation that is not yet undone, by a new commit."""
    with ports.lock.held(wait=settings["lock_seconds"]):
        settle(ports)
        undone: set[str] = set()
        for revision in ports.history.log(None, limit=None):
            if revision.undoes:
                undone.add(revision.undoes)
            if _undoable(revision, scope, undone):
                return _undo(ports, settings, scope, revision)
    raise NotFoundError("there is no operation to undo", hint="vmem log shows what was done")


def _undoable(revision: Revision, scope: Scope, undone: set[str]) -> bool:
    if revision.op in (None, Op.UNDO, Op.PERSON) or revision.commit in undone or len(revision.paths) != 1:
        return False
    return scope.may_write(revision.paths[0]) and (scope.agent is None or revision.agent == scope.agent)


def _undo(ports: Ports, settings: Settings, scope: Scope, revision: Revision) -> Written:
    path = parse_path(revision.paths[0])
    after = ports.history.bytes_at(revision.commit, path)
    before = None if revision.op in MAKING else ports.history.bytes_at(f"{revision.commit}^", path)
    found = ports.files.read(path)
    if (found.content if found is not None else None) != after:
        raise ConflictError(
            path,
            f"it was changed after {revision.subject!r}",
            hint=f"vmem log {path} shows by whom; nothing was undone",
        )
    if before is not None:
        return _put_back(ports, settings, scope, path, before, Op.UNDO, undoes=revision.commit)
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


def _put_back(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    path: VaultPath,
    content: bytes,
    op: Op,
    *,
    undoes: str | None,
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
        commit_message(op, memory.title, memory_id=memory.id, agent=scope.agent, undoes=undoes),
        agent_author(scope.agent) if scope.agent is not None else None,
    )
    [written] = perform(ports, settings.zone, [Step(operation, content, memory.id, memory.title)])
    return written


def _visible(scope: Scope, revisions: Iterator[Revision]) -> Iterator[Revision]:
    """Commits with at least one readable path, without the paths that are not."""
    for revision in revisions:
        paths = tuple(path for path in revision.paths if scope.may_read(path))
        if len(paths) == len(revision.paths):
            yield revision
        elif paths:
            # The subject may name a memory that this caller may not read.
            yield Revision(
                revision.commit,
                revision.author,
                revision.email,
                revision.when,
                "(several memories)",
                revision.op,
                None,
                revision.agent,
                paths,
                revision.undoes,
            )


def _gone(ports: Ports, scope: Scope, text: str) -> tuple[Revision, VaultPath]:
    """The newest removal of the one memory that `text` names; memories that are there don't count."""
    ref = parse_ref(text)
    found: dict[str, tuple[Revision, VaultPath]] = {}
    for revision in ports.history.log(None, limit=None):
        for raw in revision.paths:
            path = _removed_path(ports, scope, revision, raw)
            if path is None or path in found:
                continue
            by_id = ref.id_prefix and (revision.memory_id or "").startswith(ref.id_prefix)
            if path in ref.paths or by_id or _was_called(ports, revision, path, ref.title):
                found[path] = (revision, path)
    if not found:
        raise MemoryNotFoundError(
            text, hint="no removed memory is called that; vmem log shows what was removed"
        )
    if len(found) > 1:
        raise AmbiguousRefError(
            text,
            [((revision.memory_id or "")[:8], revision.subject, path) for revision, path in found.values()],
        )
    return next(iter(found.values()))


def _was_called(ports: Ports, revision: Revision, path: VaultPath, title: str) -> bool:
    """Whether the removed file had that title."""
    try:
        content = ports.history.bytes_at(f"{revision.commit}^", path)
    except RevisionNotFoundError:  # a shallow clone ends here
        return False
    return content is not None and parse_memory(path, content, zone=UTC).title.casefold() == title.casefold()


def _removed_path(ports: Ports, scope: Scope, revision: Revision, raw: str) -> VaultPath | None:
    try:
        path = parse_path(raw)
    except UnsafePathError:
        return None
    if not scope.may_read(path) or ports.files.stat(path) is not None:
        return None
    return path if ports.history.bytes_at(revision.commit, path) is None else None
