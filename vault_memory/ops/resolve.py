"""From what a person typed to the one memory that is meant."""

from __future__ import annotations

from vault_memory.errors import AmbiguousRefError, MemoryNotFoundError, UnsafePathError
from vault_memory.model.linkmap import LinkMap
from vault_memory.model.meant import hint_for
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import PERSON, Scope, VaultPath, parse_path, without_ending
from vault_memory.model.naming import fold_name
from vault_memory.model.ref import Ref, parse_ref
from vault_memory.ports import Ports


def resolve(ports: Ports, scope: Scope, text: str) -> Entry:
    """The memory called `text`: by path, id, unique id prefix, exact title, alias or file name, in that
    order; a path is looked for from the caller's folder, then from the root.

    Raises `MemoryNotFoundError` or `AmbiguousRefError`; what the scope may not read is not there.
    """
    ref = parse_ref(text, scope.here, str(ports.files.root))
    for look in (_by_path, _by_id, _by_title, _by_alias_or_name):
        found = look(ports, scope, ref)
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousRefError(text, [(entry.id or "", entry.title, entry.path) for entry in found])
    _note_hidden(ports, scope, ref)
    raise MemoryNotFoundError(text, hint=hint_for(text, ports.index.entries(scope)))


def _note_hidden(ports: Ports, scope: Scope, ref: Ref) -> None:
    """Note that one was asked for which the scope may not read; to the caller there is none."""
    if scope.agent is None:
        return
    for look in (_by_path, _by_id, _by_title):
        found = look(ports, PERSON, ref)
        if found:
            scope.refuse_read(found[0].path)
            return


def link_named(ports: Ports, scope: Scope, text: str) -> tuple[VaultPath, bytes] | None:
    """The link in the vault that `text` names by its path, and what is written in it. It need not lead
    to a memory, nor anywhere."""
    for path in parse_ref(text, scope.here, str(ports.files.root)).paths:
        if scope.may_read(path) and ports.index.entry(path) is None:
            written = ports.files.link_text(path)
            if written is not None:
                return path, written
    return None


def _by_path(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    for text in ref.paths:
        try:
            path = parse_path(text)
        except UnsafePathError:
            continue
        entry = ports.index.entry(path) or _behind_links(ports, path)
        if entry is not None and scope.may_read(path) and scope.may_read(entry.path):
            return [entry]
    return []


def _behind_links(ports: Ports, path: VaultPath) -> Entry | None:
    """The memory that a path leads to over links: it is known by its own path alone."""
    real = ports.files.real(path)
    return ports.index.entry(real) if real is not None and real != path else None


def _by_id(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    """The memory with that very id, whatever its form; else those whose ULID begins so."""
    begin_so = ports.index.find(scope, id_prefix=ref.id)
    exact = [entry for entry in begin_so if (entry.id or "").casefold() == ref.id.casefold()]
    return exact or (begin_so if ref.id_prefix is not None else [])


def _by_title(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    """By a title of their own; a file's name that serves as one says no more than any file's name."""
    titled = ports.index.find(scope, title=ref.title) if ref.title else []
    own = [entry for entry in titled if fold_name(_name(entry)) != fold_name(entry.title)]
    return titled if own or len(titled) > 1 else []


def _name(entry: Entry) -> str:
    return without_ending(entry.path.rpartition("/")[2])


def _by_alias_or_name(ports: Ports, scope: Scope, ref: Ref) -> list[Entry]:
    """By an alias; else those whose file is called so, or whose path ends so (`market/plan`)."""
    entries = ports.index.entries(scope)
    wanted = fold_name(ref.title)
    called = [entry for entry in entries if wanted in map(fold_name, entry.aliases)]
    if called:
        return called
    paths = LinkMap.of(entries).called(ref.title)
    by_path = {entry.path: entry for entry in entries}
    return [by_path[path] for path in sorted(paths)]
