"""Following hints: which of the files that may have changed are not as the index has them."""

from __future__ import annotations

from collections.abc import Collection

from vault_memory.model.change import FileDiff, FileStamp
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Ports


def differing(
    ports: Ports, paths: Collection[VaultPath], arrived: Collection[VaultPath] = frozenset()
) -> FileDiff:
    """Look at these files; no lock is needed, and nothing is read of them.

    What vmem wrote itself is in the index with the stamp that it has: that such a file `arrived` is no
    change. Raises `StorageError` where a file can't be looked at, `VaultUnreadableError` where one is
    missing because the vault is.
    """
    known = ports.index.known(paths)
    suspect: list[FileStamp] = []
    gone: list[VaultPath] = []
    missing = False
    for path in paths:
        stamp, old = stamp_at(ports, path), known.get(path)
        if stamp is None:
            missing = True
            if old is not None:
                gone.append(path)
        elif old is None or not stamp.same_as(old.stamp) or not (old.settled or path in arrived):
            suspect.append(stamp)
    if missing:
        ports.files.check_root()
    return FileDiff(tuple(suspect), tuple(gone))


def stamp_at(ports: Ports, path: VaultPath) -> FileStamp | None:
    """The stamp of a file that lies at that very place; one that a link leads to is known by its own."""
    stamp = ports.files.stat(path)
    return stamp if stamp is not None and ports.files.real(path) == path else None
