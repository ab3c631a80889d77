"""Ranking what the files say now: every hit's file is looked at once more before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from vault_memory.errors import SidecarError
from vault_memory.model.hit import Hit
from vault_memory.model.namespace import VaultPath
from vault_memory.ops.rank import Ranking
from vault_memory.ops.refresh import refresh_paths
from vault_memory.ports import Ports

PATIENCE = 0.5
"""Seconds to wait for another writer before a changed hit is left out instead of read again."""


def rank_fresh(
    ports: Ports, zone: ZoneInfo, rank: Callable[[], Ranking], most: int
) -> tuple[Ranking, str | None]:
    """Rank, and rank again if a file of the first `most` hits has changed since it was indexed.

    Where the index can't be mended at once the changed hits are left out, and the word for the
    caller says so: old text is never shown as new.
    """
    ranking = rank()
    stale = _changed(ports, ranking.hits[:most])
    if not stale:
        return ranking, None
    try:
        if ports.index.writable:
            with ports.lock.held(wait=PATIENCE):
                refresh_paths(ports, zone, stale)
            ranking = rank()
            stale = _changed(ports, ranking.hits[:most])
    except SidecarError:  # another writer, a full disk: answer without those files
        pass
    if not stale:
        return ranking, None
    gone = frozenset(stale)
    kept = tuple(hit for hit in ranking.hits if hit.entry.path not in gone)
    return replace(ranking, hits=kept), f"left out, changed this moment: {', '.join(stale)}"


def _changed(ports: Ports, hits: Sequence[Hit]) -> list[VaultPath]:
    known = ports.index.known([hit.entry.path for hit in hits])
    changed: list[VaultPath] = []
    for hit in hits:
        stamp = ports.files.stat(hit.entry.path)
        old = known.get(hit.entry.path)
        if stamp is None or old is None or not stamp.same_as(old.stamp):
            changed.append(hit.entry.path)
    return changed
