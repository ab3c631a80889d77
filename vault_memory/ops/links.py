"""The links of memories: out of one, back to it, and those that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from vault_memory.model.linked import BrokenLinks, Linked, MemoryLinks
from vault_memory.model.linkmap import LinkMap
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope
from vault_memory.ops.resolve import resolve
from vault_memory.ports import Ports


def links(ports: Ports, scope: Scope, ref: str, *, notices: tuple[str, ...] = ()) -> MemoryLinks:
    """The links of one memory, and those that lead to it.

    A link into what the scope may not read looks like one into nothing, and a link out of it is not
    there.
    """
    with ports.index.reading():
        entry = resolve(ports, scope, ref)
        every = _all_links(ports, scope)
    return MemoryLinks(
        entry,
        tuple(sorted((one for one in every if one.path == entry.path), key=_place)),
        tuple(sorted((one for one in every if one.leads.path == entry.path), key=_place)),
        notices,
    )


def broken_links(ports: Ports, scope: Scope, *, notices: tuple[str, ...] = ()) -> BrokenLinks:
    """Every link that leads to no memory, of all that the scope may read."""
    with ports.index.reading():
        every = _all_links(ports, scope)
        memories = ports.index.count(scope)
    broken = sorted((one for one in every if one.leads.broken), key=_place)
    return BrokenLinks(tuple(broken), len(every), memories, notices)


def count_links(ports: Ports, scope: Scope, entries: Iterable[Entry]) -> int:
    """How many links stand in these memories, broken ones too."""
    paths = {entry.path for entry in entries}
    return sum(path in paths for path, _ in ports.index.links(scope))


def _all_links(ports: Ports, scope: Scope) -> list[Linked]:
    places = LinkMap.of(ports.index.entries(scope))
    return [Linked(path, link, places.resolve(path, link)) for path, link in ports.index.links(scope)]


def _place(one: Linked) -> tuple[str, int]:
    return one.path, one.link.line
