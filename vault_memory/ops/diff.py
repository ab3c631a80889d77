"""What has changed in memories: since the last commit, in one of them, or between two commits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from vault_memory.errors import MemoryNotFoundError, RevisionNotFoundError, StorageError, UsageError
from vault_memory.model.comparison import WORKING_TREE, Comparison, Versions, compare
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import FileState
from vault_memory.ops.removed import find_removed
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports

HEAD = "HEAD"
Point = str | None
"""A commit as a person names it; `None` for the files as they lie there."""


def diff(ports: Ports, zone: ZoneInfo, scope: Scope, what: Sequence[str]) -> Comparison:
    """Nothing: the files since HEAD. One memory: its uncommitted change, else that of its last commit.
    One commit: the files since then. Two: from the one to the other.

    Raises `MemoryNotFoundError`, `RevisionNotFoundError`, `GitError`.
    """
    if len(what) > 2:
        raise UsageError("diff takes at most two commits", hint="vmem diff OLD NEW")
    if len(what) == 1:
        older, dots, newer = what[0].partition("..")
        if dots and older and newer:
            return _between(ports, zone, scope, older, newer.removeprefix("."))
        try:
            return _of_memory(ports, zone, scope, what[0])
        except MemoryNotFoundError as error:
            try:
                return _between(ports, zone, scope, what[0], None)
            except RevisionNotFoundError:
                raise MemoryNotFoundError(
                    what[0], hint="it names no commit either; vmem list and vmem log show what there is"
                ) from error
    if what:
        return _between(ports, zone, scope, what[0], what[1])
    return _between(ports, zone, scope, HEAD, None)


def _between(ports: Ports, zone: ZoneInfo, scope: Scope, older: str, newer: Point) -> Comparison:
    """All memories that the scope may read and that differ between two points."""
    for point in (older, newer):
        _refuse_search(scope, point)
    paths: set[VaultPath] = set()
    if newer is not None or older != HEAD:
        paths.update(ports.history.changed_between(older, newer or HEAD))
    if newer is None:
        paths.update(_uncommitted(ports))
    files, notices = _versions(ports, filter(scope.may_read, sorted(paths)), older, newer)
    return Comparison(older, newer or WORKING_TREE, compare(files, zone=zone), notices)


def _refuse_search(scope: Scope, point: Point) -> None:
    """Git can look for a commit by its message, and that may name what the scope may not read."""
    if scope.agent is not None and point is not None and (":" in point or "{/" in point):
        raise RevisionNotFoundError(point)


def _uncommitted(ports: Ports) -> Iterable[VaultPath]:
    memories = ports.index.known_files().keys()
    return [
        VaultPath(path)
        for path, state in ports.history.uncommitted()
        if path in memories or state is FileState.MISSING
    ]


def _of_memory(ports: Ports, zone: ZoneInfo, scope: Scope, ref: str) -> Comparison:
    try:
        path = resolve(ports, scope, ref).path
    except MemoryNotFoundError:
        path = _taken_away(ports, scope, ref)
    since_head = _only(_between(ports, zone, scope, HEAD, None), path)
    if since_head.differences:
        return since_head
    last = next(iter(ports.history.log(path, limit=1)), None)
    if last is None:
        return since_head
    return _only(_between_parents(ports, zone, scope, last.commit), path)


def _between_parents(ports: Ports, zone: ZoneInfo, scope: Scope, commit: str) -> Comparison:
    """What a commit changed; of the first one of all, everything."""
    parent = f"{commit}^"
    try:
        ports.history.changed_between(parent, commit)
    except RevisionNotFoundError:
        paths = ports.history.changed_between(None, commit)
        files: dict[VaultPath, Versions] = {
            path: (None, ports.history.bytes_at(commit, path)) for path in paths if scope.may_read(path)
        }
        return Comparison("", commit, compare(files, zone=zone))
    return _between(ports, zone, scope, parent, commit)


def _taken_away(ports: Ports, scope: Scope, ref: str) -> VaultPath:
    """A memory that is gone: not committed yet, or in history."""
    for path, state in ports.history.uncommitted():
        if path == ref and state is FileState.MISSING and scope.may_read(path):
            return VaultPath(path)
    return find_removed(ports, scope, ref).path


def _only(comparison: Comparison, path: VaultPath) -> Comparison:
    return replace(
        comparison,
        differences=tuple(one for one in comparison.differences if path in (one.path, one.came_from)),
    )


def _versions(
    ports: Ports, paths: Iterable[VaultPath], older: str, newer: Point
) -> tuple[dict[VaultPath, Versions], tuple[str, ...]]:
    files: dict[VaultPath, Versions] = {}
    notices: list[str] = []
    born = ports.history.state().head is not None
    for path in paths:
        try:
            old = ports.history.bytes_at(older, path) if born or older != HEAD else None
            files[path] = (old, _new(ports, path, newer))
        except StorageError as error:
            notices.append(f"{path}: {error.reason}")
    return files, tuple(notices)


def _new(ports: Ports, path: VaultPath, newer: Point) -> bytes | None:
    if newer is not None:
        return ports.history.bytes_at(newer, path)
    found = ports.files.read(path)
    return found.content if found is not None else None
