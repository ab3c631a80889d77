"""The files as they lie there against those of a commit, as what came and what left since then."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from vault_memory.errors import StorageError
from vault_memory.model.branches import Received
from vault_memory.model.changes import Since, Trace
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Entry, Memory
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import version_of
from vault_memory.ports import Ports


def since_commit(ports: Ports, zone: ZoneInfo, scope: Scope, older: str | None, head: str | None) -> Since:
    """What the scope may read of it; `None` is before the first commit. What isn't committed comes first.

    Raises `GitError`."""
    between = ports.merges.received(older, head) if head is not None and head != older else Received()
    was_there = _differing(between)
    loose = {VaultPath(path) for path, _ in ports.history.uncommitted()}
    paths = [path for path in sorted({*was_there, *loose}) if scope.may_read(path)]
    with ports.index.reading():
        entries = {path: ports.index.entry(path) for path in paths}
    came: list[Trace] = []
    left: list[Trace] = []
    for path, now in entries.items():
        old = None
        if older is not None and (path in loose or (now is None and was_there[path])):
            old = ports.history.bytes_at(older, path)
        there = old is not None if path in loose else was_there[path]
        rank = int(path in loose)
        if now is not None:
            if old is None or version_of(old) != now.version:
                came.append(Trace(now, rank, there))
        elif old is not None and _is_gone(ports, path):
            left.append(Trace(_entry(parse_memory(path, old, zone=zone), len(old)), rank))
    return Since(came, left)


def _differing(received: Received) -> dict[VaultPath, bool]:
    """Each path that differs between two commits, and whether the older one has it."""
    return {
        **dict.fromkeys(received.added, False),
        **dict.fromkeys(received.edited, True),
        **dict.fromkeys(received.removed, True),
        **{old: True for old, _ in received.renamed},
        **{new: False for _, new in received.renamed},
    }


def _is_gone(ports: Ports, path: VaultPath) -> bool:
    """Whether there was a memory that left: what a setting leaves out is none, wherever it is."""
    try:
        return ports.files.is_memory(path) and ports.files.stat(path) is None
    except StorageError:  # "may not look" is not "is not there"
        return False


def _entry(memory: Memory, size: int) -> Entry:
    """What an index would keep of a memory whose file has so many bytes."""
    return Entry(
        path=memory.path,
        version=memory.version,
        id=memory.id,
        title=memory.title,
        importance=memory.importance,
        tags=memory.tags,
        inline_tags=memory.inline_tags,
        aliases=memory.aliases,
        kind=memory.kind,
        pinned=memory.pinned,
        source_agent=memory.source_agent,
        created=memory.created,
        updated=memory.updated,
        dated=memory.dated,
        expires=memory.expires,
        size=size,
        conflicted=memory.conflicted,
        front=memory.front,
    )
