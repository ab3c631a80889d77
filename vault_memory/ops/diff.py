"""What has changed in memories: since the last commit, in one of them, or between two points."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vault_memory.config.settings import Settings
from vault_memory.errors import (
    GitError,
    MemoryNotFoundError,
    RevisionNotFoundError,
    StorageError,
    UsageError,
)
from vault_memory.model.comparison import STAGED, WORKING_TREE, Comparison, Versions, compared
from vault_memory.model.lint import whole_text
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import FileState
from vault_memory.ops.asof import shown
from vault_memory.ops.flags import flagged
from vault_memory.ops.removed import find_removed
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports

HEAD = "HEAD"


@dataclass(frozen=True, slots=True)
class _Asked:
    """Two points. A newer one that is `None` is the files as they lie there."""

    older: str
    newer: str | None
    parted: bool = False
    """Whether the older one is to be where the two lines parted."""


def diff(
    ports: Ports, settings: Settings, scope: Scope, what: Sequence[str], *, staged: bool = False
) -> Comparison:
    """Nothing: the files since HEAD. One memory: its uncommitted change, else that of its last commit.
    One commit: the files since then. Two, or `A..B`: from the one to the other. `A...B`: what B changed
    since the two parted. With `staged` it is the commit under way, since HEAD or the commit named.

    Raises `MemoryNotFoundError`, `RevisionNotFoundError`, `UsageError`, `GitError`.
    """
    if staged:
        return _staged(ports, settings, scope, what)
    if len(what) > 2:
        raise UsageError("diff takes at most two commits", hint="vmem diff OLD NEW")
    if len(what) == 1:
        asked = _range(what[0])
        if asked is not None:
            return _of_range(ports, settings, scope, asked, what[0])
        return _of_name(ports, settings, scope, what[0])
    older, newer = what or (HEAD, None)
    return between(ports, settings, scope, older, newer)


def _of_range(ports: Ports, settings: Settings, scope: Scope, asked: _Asked, text: str) -> Comparison:
    try:
        return between(ports, settings, scope, asked.older, asked.newer, parted=asked.parted)
    except RevisionNotFoundError as error:
        try:  # a memory's name may have dots too
            return _of_memory(ports, settings, scope, resolve(ports, scope, text).path)
        except MemoryNotFoundError:
            raise error from None


def _of_name(ports: Ports, settings: Settings, scope: Scope, text: str) -> Comparison:
    """A memory goes before a commit; where both are called so, that is said."""
    try:
        found = _of_memory(ports, settings, scope, text)
        return replace(found, notices=(*_also_a_commit(ports, settings, scope, text), *found.notices))
    except MemoryNotFoundError as error:
        try:
            return between(ports, settings, scope, text, None)
        except RevisionNotFoundError:
            raise MemoryNotFoundError(
                text, hint="it names no commit either; vmem list and vmem log show what there is"
            ) from error


def _also_a_commit(ports: Ports, settings: Settings, scope: Scope, text: str) -> Sequence[str]:
    """Whoever writes a memory called `main` hides from nobody what `main` is compared with."""
    try:
        _refuse_unshown(ports, settings, scope, text)
        ports.points.resolve(text)
    except (RevisionNotFoundError, GitError):
        return ()
    return (f"this is the memory called {text!r}; of the commit of that name: vmem diff {text}~0",)


def _range(text: str) -> _Asked | None:
    """`A..B` and `A...B`, as git reads them: a side that is left out is HEAD."""
    for dots in ("...", ".."):
        older, found, newer = text.partition(dots)
        if found and (older or newer) and "/" not in (older[-1:], newer[:1]):
            return _Asked(older or HEAD, newer or HEAD, parted=dots == "...")
    return None


def between(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    older: str,
    newer: str | None,
    *,
    parted: bool = False,
) -> Comparison:
    """All memories that the scope may read and that differ between two commits, or a commit and the files.

    With `parted` it is what `newer` changed since the two parted, and its memories are held against those
    that the vault has now; else against those of them that both have. Raises `RevisionNotFoundError`,
    `UsageError` where the two have no commit in common, `GitError`.
    """
    for point in (older, newer):
        _refuse_unshown(ports, settings, scope, point)
    if parted:
        assert newer is not None
        older = _where_parted(ports, older, newer)
    # By its hash a commit is read far faster than by its name; people are shown what they typed.
    left, right = _exact(ports, older), None if newer is None else _exact(ports, newer)
    paths: set[VaultPath] = set()
    if right is not None or older != HEAD:
        paths.update(ports.history.changed_between(left, right or HEAD))
    if right is None:
        paths.update(_uncommitted(ports))
    files, notices = _versions(ports, filter(scope.may_read, sorted(paths)), left, right)
    elsewhere = _elsewhere(ports, right) if right is not None and not parted and files else set()
    found = _compared(ports, settings, scope, files, elsewhere=elsewhere)
    return replace(found, older=older, newer=newer or WORKING_TREE, notices=(*notices, *found.notices))


def _staged(ports: Ports, settings: Settings, scope: Scope, what: Sequence[str]) -> Comparison:
    """What the commit under way would change: since HEAD, or since the commit that is named."""
    if len(what) > 1:
        raise UsageError(
            "--staged takes at most one commit", hint="vmem diff --staged   or vmem diff --staged HEAD~1"
        )
    older = what[0] if what else HEAD
    _refuse_unshown(ports, settings, scope, older)
    born = older != HEAD or ports.history.state().head is not None
    changes = ports.staging.changed(older if born else None)
    files = {path: versions for path, versions in changes.items() if scope.may_read(path)}
    found = _compared(ports, settings, scope, files, elsewhere=set(_uncommitted(ports)) - set(files))
    return replace(found, older=older, newer=STAGED)


def _compared(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    files: Mapping[VaultPath, Versions],
    *,
    elsewhere: Collection[VaultPath],
) -> Comparison:
    """The differences with their flags, without secrets."""
    zone = settings.zone
    found = compared(files, zone=zone, mask=ports.scanner.mask)
    texts = {}
    for one in found:
        path = VaultPath(one.difference.path)
        old, new = files.get(VaultPath(one.difference.came_from or path)), files[path]
        texts[path] = (
            whole_text(old[0]) if old is not None and old[0] is not None else "",
            whole_text(new[1]) if new[1] is not None else "",
        )
    return Comparison("", "", flagged(ports, scope, zone, found, texts, elsewhere=elsewhere))


def _elsewhere(ports: Ports, commit: str) -> set[VaultPath]:
    """The files that are not now as that commit has them."""
    return {*_uncommitted(ports), *ports.history.changed_between(commit, HEAD)}


def _where_parted(ports: Ports, one: str, other: str) -> str:
    base = ports.merges.base(one, other)
    if base is None:
        raise UsageError(
            f"{one} and {other} have no commit in common",
            hint=f"compare them as they are: vmem diff {one} {other}",
        )
    return base


def _exact(ports: Ports, point: str) -> str:
    """The commit's hash; before the first commit HEAD stays."""
    unborn = point == HEAD and ports.history.state().head is None
    return point if unborn else ports.points.resolve(point).commit


def _refuse_unshown(ports: Ports, settings: Settings, scope: Scope, point: str | None) -> None:
    """An agent compares nothing that it may not look at: what others propose, or what was never merged."""
    if scope.agent is not None and point is not None and point != HEAD:
        shown(ports, settings, scope, point)


def _uncommitted(ports: Ports) -> Iterable[VaultPath]:
    memories = ports.index.known_files().keys()
    return [
        VaultPath(path)
        for path, state in ports.history.uncommitted()
        if path in memories or state is FileState.MISSING
    ]


def _of_memory(ports: Ports, settings: Settings, scope: Scope, ref: str) -> Comparison:
    try:
        path = resolve(ports, scope, ref).path
    except MemoryNotFoundError:
        path = _taken_away(ports, scope, ref)
    since_head = _only(between(ports, settings, scope, HEAD, None), path)
    if since_head.differences:
        return since_head
    last = next(iter(ports.history.log(path, limit=1)), None)
    if last is None:
        return since_head
    return _only(_between_parents(ports, settings, scope, last.commit), path)


def _between_parents(ports: Ports, settings: Settings, scope: Scope, commit: str) -> Comparison:
    """What a commit changed; of the first one of all, everything."""
    parent = f"{commit}^"
    try:
        ports.history.changed_between(parent, commit)
    except RevisionNotFoundError:
        paths = ports.history.changed_between(None, commit)
        files: dict[VaultPath, Versions] = {
            path: (None, ports.history.bytes_at(commit, path)) for path in paths if scope.may_read(path)
        }
        found = _compared(ports, settings, scope, files, elsewhere=_elsewhere(ports, commit))
        return replace(found, newer=commit)
    return between(ports, settings, scope, parent, commit)


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
    ports: Ports, paths: Iterable[VaultPath], older: str, newer: str | None
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


def _new(ports: Ports, path: VaultPath, newer: str | None) -> bytes | None:
    if newer is not None:
        return ports.history.bytes_at(newer, path)
    found = ports.files.read(path)
    return found.content if found is not None else None
