"""From what a person typed to the one memory that is meant."""

from __future__ import annotations

from vault_memory.errors import AmbiguousRefError, MemoryNotFoundError, UnsafePathError
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, parse_path
from vault_memory.model.ref import Ref, parse_ref
from vault_memory.ports import Ports


def resolve(ports: Ports, scope: Scope, text: str) -> Entry:
    """The memory called `text`: by path, id, unique id prefix or exact title, in that order.

    Raises `MemoryNotFoundError` or `AmbiguousRefError`; what the scope may not read is not there.
    """
    ref = parse_ref(text)
    for found in (_by_path(ports, scope, ref), _by_id(ports, scope, ref), _by_title(ports, scope, ref)):
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousRefError(text, [(entry.id or "", entry.title, entry.path) for entry in found])
    raise MemoryNotFoundError(text)


def _by_path(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    for text in ref.paths:
        try:
            path = parse_path(text)
        except UnsafePathError:
            continue
        entry = ports.index.entry(path)
        if entry is not None and scope.may_read(path):
            return [entry]
    return []


def _by_id(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    """The memory with that very id, whatever its form; else those whose ULID begins so."""
    begin_so = ports.index.find(scope, id_prefix=ref.id)
    exact = [entry for entry in begin_so if (entry.id or "").casefold() == ref.id.casefold()]
    return exact or (begin_so if ref.id_prefix is not None else [])


def _by_title(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    return ports.index.find(scope, title=ref.title) if ref.title else []
