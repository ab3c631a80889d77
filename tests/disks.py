"""A vault with vectors on one of three disks, its index at a place of one's choice."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tests.contracts.index_values import similarity
from tests.stand import CountedIds, ToldClock
from vault_memory import compose
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
from vault_memory.model.change import FileStamp
from vault_memory.model.namespace import VaultPath
from vault_memory.model.weights import DEFAULT
from vault_memory.ports import FileBytes, Scan
from vault_memory.vault import Vault

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

COARSE_NS = 2_000_000_000
LATER_NS = 10_000_000_000

DISKS = {
    "fresh": "each stamp is read at once, so that none is trusted",
    "settled": "each stamp is read long after, so that it is trusted",
    "coarse": "times are told to two seconds, so that a stamp may stay as it is when the file changes",
}
MOST_BYTES = 20_000
"""Files above this size can't be read."""


@dataclass(slots=True)
class MovedClock(ToldClock):
    """The machine's own clock, moved ahead: by enough, and every stamp has settled when it is read."""

    ahead_ns: int = 0

    def now_ns(self) -> int:
        return ToldClock.now_ns(self) + self.ahead_ns


class CoarseFiles(VaultFiles):
    """Files whose times are told to two seconds, as FAT does."""

    def scan(self) -> Scan:
        found = super().scan()
        return replace(found, stamps=tuple(_coarse(stamp) for stamp in found.stamps))

    def stat(self, path: VaultPath) -> FileStamp | None:
        found = super().stat(path)
        return None if found is None else _coarse(found)

    def read(self, path: VaultPath) -> FileBytes | None:
        found = super().read(path)
        return None if found is None else replace(found, stamp=_coarse(found.stamp))

    def write(
        self, path: VaultPath, content: bytes, *, replacing: str | None, like: VaultPath | None = None
    ) -> FileStamp:
        return _coarse(super().write(path, content, replacing=replacing, like=like))


def _coarse(stamp: FileStamp) -> FileStamp:
    return stamp._replace(
        mtime_ns=stamp.mtime_ns // COARSE_NS * COARSE_NS,
        ctime_ns=stamp.ctime_ns // COARSE_NS * COARSE_NS,
    )


class HashEmbedder:
    """Four numbers for a text, always the same."""

    id, dimensions, reason, span, trust = "hash 1", 4, None, (0.0, 1.0), 0.6

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.vstack([self.query(text) for text in texts])

    def query(self, text: str) -> Vectors:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[: self.dimensions]
        numbers = np.frombuffer(digest, dtype=np.uint8).astype(np.float32) + 1
        return (numbers / np.linalg.norm(numbers)).reshape(1, -1).astype(np.float32)


def open_vault(root: Path, clock: MovedClock, ids: CountedIds, *, coarse: bool, place: Path | None) -> Vault:
    """A vault with vectors, its index at `place` or in memory."""
    opened = compose.open_vault(root, flags={"refresh_seconds": 0.0}, clock=clock, ids=ids)
    # Of the same reading as the vault's own index, which opens the same file: else each makes it anew.
    reading = f"timezone {opened.settings['timezone']}, tokens by {opened.ports.tokens.name}"
    index = SqliteIndex.open(place, embedder_id=HashEmbedder.id, reading=reading)
    files = (CoarseFiles if coarse else VaultFiles)(root, max_bytes=MOST_BYTES)
    ports = replace(opened.ports, files=files, index=index, embedder=HashEmbedder())

    def close() -> None:
        index.close()
        opened.close()

    return Vault(replace(opened, held=ports, shut=close))


def near(vault: Vault) -> dict[tuple[str, int], float]:
    """How near each passage is to a question, with what those around it count."""
    index = vault._opened.ports.index
    with index.reading():
        return similarity(index, HashEmbedder().query("was it cold"), DEFAULT.spread)


Dump = dict[str, list[tuple[object, ...]]]
