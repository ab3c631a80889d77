"""What lies in a vault, for who looks at all of it: by its index, or by its files before there is one."""

from __future__ import annotations

from typing import NamedTuple
from zoneinfo import ZoneInfo

from vault_memory.errors import StorageError
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Entry, Finding, Link
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.ops.unread import readable_scan, unreadable
from vault_memory.ports import Ports

MOST = 2_000
"""Of so many files at most the index is left unmade. To read them takes a third of what it takes to index
them, but each time again; of so many it is less than half a second."""


class Stock(NamedTuple):
    """All memories that a caller may read, in path order, and what is none of them."""

    entries: list[Entry]
    links: list[tuple[VaultPath, Link]]
    findings: list[Finding]
    odd: list[tuple[str, str]]
    """(path, reason) of what is called like a memory and can't be read as one."""


def by_index(ports: Ports, scope: Scope) -> Stock:
    """As the index has it, which is up to the files."""
    scan = readable_scan(ports, scope)
    with ports.index.reading():
        index = ports.index
        entries, links, findings = index.entries(scope), index.links(scope), index.findings(scope)
    return Stock(entries, links, findings, sorted([*scan.odd, *unreadable(ports, scan)]))


def by_files(ports: Ports, zone: ZoneInfo, scope: Scope) -> Stock | None:
    """The same, where the index has yet to be filled: nothing is written, and the next question fills it.

    `None` where there is an index, or more than `MOST` files, or something to tell of the index."""
    index = ports.index
    if index.rebuilt is None or index.notice is not None or index.known_files():
        return None
    scan = readable_scan(ports, scope)
    if len(scan.stamps) > MOST:
        return None
    stock = Stock([], [], [], list(scan.odd))
    for path in sorted(stamp.path for stamp in scan.stamps):
        try:
            found = ports.files.read(path)
        except StorageError as error:
            stock.odd.append((path, error.reason))
            continue
        if found is not None:
            memory = index.would_tell(parse_memory(path, found.content, zone=zone), found.stamp.size)
            stock.entries.append(memory.entry)
            stock.links.extend((path, link) for link in memory.links)
            stock.findings.extend(memory.findings)
    stock.odd.sort()
    return stock
