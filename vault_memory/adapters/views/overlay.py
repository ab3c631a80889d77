"""The `Files` port over a vault's own files with some changes laid over them, to be read alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import ReadOnlyError
from vault_memory.model.change import FileStamp
from vault_memory.model.namespace import Namespace, VaultPath
from vault_memory.ports import FileBytes, Files, Scan

if TYPE_CHECKING:
    from vault_memory.model.facts import PlaceFacts


class OverlaidFiles:
    """`own` as if the files in `changes` held other bytes, or (`None`) were not there. What no scan would
    take for a memory stays out. `shown` is what is looked at."""

    def __init__(self, own: Files, changes: Mapping[VaultPath, bytes | None], *, shown: str) -> None:
        self._own = own
        self._shown = shown
        self._over = {
            path: None if content is None else FileBytes(_stamp(path, content), content)
            for path, content in changes.items()
            if own.is_memory(path)
        }

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self._own.root

    @property
    def network_disk(self) -> str | None:
        """As the vault's own."""
        return self._own.network_disk

    def scan(self) -> Scan:
        """The vault's files, with those that are laid over them."""
        found = self._own.scan()
        rest = [one for one in found.stamps if one.path not in self._over]
        new = [one.stamp for one in self._over.values() if one is not None]
        return replace(found, stamps=tuple(sorted([*rest, *new], key=lambda one: one.path)))

    def check_root(self) -> None:
        """As the vault's own."""
        self._own.check_root()

    def is_memory(self, path: VaultPath) -> bool:
        """As the vault's own."""
        return self._own.is_memory(path)

    def stat(self, path: VaultPath) -> FileStamp | None:
        """The stamp of a file; of one laid over it tells the bytes."""
        if path not in self._over:
            return self._own.stat(path)
        found = self._over[path]
        return None if found is None else found.stamp

    def differing(self, stamps: Iterable[FileStamp]) -> list[VaultPath]:
        """Those that are not there with that stamp."""
        own: list[FileStamp] = []
        found: list[VaultPath] = []
        for stamp in stamps:
            if stamp.path not in self._over:
                own.append(stamp)
            elif self.stat(stamp.path) != stamp:
                found.append(stamp.path)
        return [*found, *self._own.differing(own)]

    def read(self, path: VaultPath) -> FileBytes | None:
        """The whole file."""
        return self._over[path] if path in self._over else self._own.read(path)

    def real(self, path: VaultPath) -> VaultPath | None:
        """Where the file lies that a path leads to."""
        if path not in self._over:
            return self._own.real(path)
        return None if self._over[path] is None else path

    def link_text(self, path: VaultPath) -> bytes | None:
        """Where the link of that name points."""
        return None if path in self._over else self._own.link_text(path)

    def write(self, *_: object, **__: object) -> FileStamp:
        """Refused with `ReadOnlyError`."""
        raise ReadOnlyError(self._shown)

    def remove(self, *_: object, **__: object) -> None:
        """Refused with `ReadOnlyError`."""
        raise ReadOnlyError(self._shown)

    def names_in(self, _: Namespace) -> frozenset[str]:
        """Refused with `ReadOnlyError`: only who writes asks for it."""
        raise ReadOnlyError(self._shown)

    def spelled(self, folder: Namespace) -> Namespace:
        """As the vault's own."""
        return self._own.spelled(folder)

    def sweep(self) -> tuple[str, ...]:
        """Nothing is swept from here."""
        return ()

    def facts(self) -> PlaceFacts:
        """The vault's own."""
        return self._own.facts()

    def mend(self) -> tuple[str, ...]:
        """Nothing is mended from here."""
        return ()


def _stamp(path: VaultPath, content: bytes) -> FileStamp:
    return FileStamp(path, len(content), 0, 0, int(hashlib.sha256(content).hexdigest()[:15], 16))
