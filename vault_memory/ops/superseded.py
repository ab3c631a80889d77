"""Which memories others have taken the place of: those that a `supersedes` key names."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from vault_memory.model.expiry import has_expired
from vault_memory.model.linkmap import LinkMap
from vault_memory.model.memory import Link, Memory
from vault_memory.model.namespace import Scope, VaultPath, folder_of, without_ending
from vault_memory.model.ref import parse_ref
from vault_memory.ports import Ports


def superseded(ports: Ports, scope: Scope) -> Mapping[VaultPath, VaultPath]:
    """By path: the memory that stands in place of each one that is superseded, the last one of a row. Cheap
    where the vault has few such keys, and reckoned once a generation of the index."""
    found: Mapping[VaultPath, VaultPath] = ports.index.corpus(scope).kept(
        "superseded", lambda: _superseded(ports, scope)
    )
    return found


def is_superseded(ports: Ports, scope: Scope, memory: Memory) -> bool:
    """Whether another memory names that one, by what vmem writes or a person most likely does: what is
    asked is this one alone, so that nothing is read of the others."""
    name = without_ending(memory.path)
    names = {memory.id or "", memory.path, name, name.rpartition("/")[2], memory.title} - {""}
    found = ports.index.named_as_superseded(scope, names)
    return any(path != memory.path for path, _ in found)


def living(
    ports: Ports, scope: Scope, paths: list[VaultPath], now: datetime
) -> Mapping[VaultPath, VaultPath]:
    """Those of these paths that are superseded by a memory that counts, each with that one."""
    every = superseded(ports, scope)
    if not every:
        return every
    asked = {path: _living(ports, every[path], now) for path in paths if path in every}
    return {path: new for path, new in asked.items() if new is not None}


def _living(ports: Ports, path: VaultPath | None, now: datetime) -> VaultPath | None:
    entry = ports.index.entry(path) if path is not None else None
    return None if entry is None or entry.conflicted or has_expired(entry, now) else path


def _superseded(ports: Ports, scope: Scope) -> dict[VaultPath, VaultPath]:
    leads: dict[VaultPath, VaultPath] = {}
    every: LinkMap | None = None
    for path, link, by_id in ports.index.superseding(scope):
        old = by_id or _by_place(ports, scope, path, link)
        if old is None:
            every = every or LinkMap.of(ports.index.entries(scope))
            old = every.resolve(path, link).path
        if old is not None and old != path:
            leads[old] = path
    return {old: last for old in leads if (last := _last(leads, old)) is not None}


def _by_place(ports: Ports, scope: Scope, path: VaultPath, link: Link) -> VaultPath | None:
    """A memory whose path is written out, found without a look at all others."""
    entries = map(ports.index.entry, parse_ref(link.target, folder_of(path)).paths)
    return next((one.path for one in entries if one is not None and scope.may_read(one.path)), None)


def _last(leads: Mapping[VaultPath, VaultPath], path: VaultPath) -> VaultPath | None:
    """The end of the row that begins there; `None` where it goes round in a circle, and nobody came last."""
    seen = {path}
    while path in leads:
        path = leads[path]
        if path in seen:
            return None
        seen.add(path)
    return path
