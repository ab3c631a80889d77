"""Finding a removed memory in history: where it lay and what it held last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import NamedTuple

from vault_memory.errors import (
    AmbiguousRefError,
    MemoryNotFoundError,
    RevisionNotFoundError,
    StorageError,
    UnsafePathError,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.ids import is_ulid
from vault_memory.model.memory import Memory
from vault_memory.model.namespace import Scope, VaultPath, parse_path
from vault_memory.model.ref import Ref, parse_ref
from vault_memory.model.revision import Revision
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports


@dataclass(frozen=True, slots=True)
class Removed:
    """A memory that is no longer at `path`. `lives_at` is where its id stands today, if anywhere."""

    path: VaultPath
    content: bytes
    memory: Memory
    lives_at: VaultPath | None


class Named(NamedTuple):
    """A memory that a person means: where it lies, or lay until it was removed."""

    path: VaultPath
    id: str | None
    title: str


def there_or_removed(ports: Ports, scope: Scope, text: str) -> Named:
    """The memory that `text` names, else the removed one of that name.

    Raises `MemoryNotFoundError`, `AmbiguousRefError`."""
    try:
        entry = resolve(ports, scope, text)
    except MemoryNotFoundError as never_known:
        try:
            gone = find_removed(ports, scope, text)
        except MemoryNotFoundError:
            raise never_known from None
        return Named(gone.path, gone.memory.id, gone.memory.title)
    return Named(entry.path, entry.id, entry.title)


def find_removed(ports: Ports, scope: Scope, text: str) -> Removed:
    """The one removed memory that `text` names, as it was last.

    It is found although the removal itself is not in git yet, and although another memory took its
    name since. Raises `MemoryNotFoundError` or `AmbiguousRefError`.
    """
    ref = parse_ref(text, scope.here, str(ports.files.root))
    found: dict[VaultPath, Removed] = {}
    seen: dict[str, bool] = {}
    for revision in ports.history.log(None, limit=None):
        for raw in _missed(ports, scope, ref, revision, seen):
            one = _look(ports, scope, ref, revision, raw)
            if one is not None:
                found.setdefault(one.path, one)
    gone = [one for one in found.values() if one.lives_at is None] or list(found.values())
    if not gone:
        raise MemoryNotFoundError(text, removed=True, hint="vmem log shows what was removed")
    if len(gone) > 1:
        raise AmbiguousRefError(text, [(one.memory.id or "", one.memory.title, one.path) for one in gone])
    return gone[0]


def _missed(
    ports: Ports, scope: Scope, ref: Ref, revision: Revision, seen: dict[str, bool]
) -> Iterator[VaultPath]:
    """The readable paths of a commit where something may have lain that is no longer there.

    A path without a file is judged by the newest commit that touched it. Where a file lies now, older
    commits may have removed another one of that name: told apart by the commits' own ids, but for a
    commit of several memories, which names none or one of them. `seen` tells of each path met so far
    whether a file lies there now.
    """
    for raw in revision.paths:
        path = _parsed(raw)
        if path is None or not scope.may_read(path):
            continue
        if raw not in seen:
            seen[raw] = ports.files.stat(path) is not None
            if not seen[raw]:
                yield path
        if (
            seen[raw]
            and raw in revision.removed
            and (len(revision.paths) > 1 or _is_id(ref, revision.memory_id))
        ):
            yield path


def _parsed(raw: str) -> VaultPath | None:
    try:
        return parse_path(raw)
    except UnsafePathError:
        return None


def _look(ports: Ports, scope: Scope, ref: Ref, revision: Revision, path: VaultPath) -> Removed | None:
    """What lay at a path that a commit touched, if it is called so."""
    content = _last_content(ports, revision, path)
    if content is None:
        return None
    memory = parse_memory(path, content, zone=UTC)
    if path not in ref.paths and not _is_id(ref, memory.id) and not _is_title(ref, memory):
        return None
    return Removed(path, content, memory, _where_it_lives(ports, scope, memory))


def _last_content(ports: Ports, revision: Revision, path: VaultPath) -> bytes | None:
    """In the commit itself, if only the working file is gone; else in the one before."""
    if path not in revision.removed:
        held = ports.history.bytes_at(revision.commit, path)
        if held is not None:
            return held
    try:
        return ports.history.bytes_at(f"{revision.commit}^", path)
    except RevisionNotFoundError:  # a shallow clone ends here
        return None


def _where_it_lives(ports: Ports, scope: Scope, memory: Memory) -> VaultPath | None:
    """The file that holds the memory's id now: whoever moves a file removes it from its old path."""
    if memory.id is None:
        return None
    for entry in ports.index.find(scope, id_prefix=memory.id):
        if entry.id == memory.id and _is_there(ports, entry.path):
            return entry.path
    return None


def _is_there(ports: Ports, path: VaultPath) -> bool:
    try:
        return ports.files.stat(path) is not None
    except StorageError:  # it can't be told, and a second one with its id would be worse
        return True


def _is_id(ref: Ref, memory_id: str | None) -> bool:
    """Whether the name is that id, or the beginning of that ULID."""
    found = memory_id or ""
    if found and found.casefold() == ref.id.casefold():
        return True
    return ref.id_prefix is not None and is_ulid(found) and found.upper().startswith(ref.id_prefix)


def _is_title(ref: Ref, memory: Memory) -> bool:
    return memory.title.casefold() == ref.title.casefold()
