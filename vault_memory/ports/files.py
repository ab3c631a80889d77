"""The Markdown files on disk, and the lock of their one writer."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.change import FileStamp
    from vault_memory.model.facts import PlaceFacts
    from vault_memory.model.namespace import Namespace, VaultPath


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file's bytes with the stamp taken of the open file."""

    stamp: FileStamp
    content: bytes


@dataclass(frozen=True, slots=True)
class Scan:
    """All Markdown files below the root, and those that look like it but can't be memories."""

    stamps: tuple[FileStamp, ...]
    odd: tuple[tuple[str, str], ...]
    """(path, reason): a FIFO called x.md, a link that leaves the vault, a name not in UTF-8 …"""
    skipped: tuple[tuple[str, str], ...] = ()
    """(path, reason) of the folders that were not looked into, but for the hidden ones."""


class Files(Protocol):
    """The vault's Markdown files. Never follows a link out of the vault, never blocks on a FIFO."""

    @property
    def root(self) -> Path:
        """The vault's folder, absolute and resolved."""

    @property
    def network_disk(self) -> str | None:
        """The type of the network disk that holds the vault's own data; `None` for a local one."""

    def scan(self) -> Scan:
        """Look at every folder. Raises `VaultUnreadableError` where the root lost its
        `.vmem/config.toml` or a folder can't be listed: a partial answer would read as deletion."""

    def check_root(self) -> None:
        """Raise `VaultUnreadableError` where the root lost its `.vmem/config.toml`: what is not there
        now need not have been deleted."""

    def is_memory(self, path: VaultPath) -> bool:
        """Whether a `scan` would take a regular file of that path for a memory: it has the name of one,
        and nothing on the way to it is hidden, ignored or left out."""

    def stat(self, path: VaultPath) -> FileStamp | None:
        """The stamp of a regular file, `None` where there is none."""

    def differing(self, stamps: Iterable[FileStamp]) -> list[VaultPath]:
        """Those that do not lie at their very place with that stamp; a quick look, and no proof that they
        are others: what it names is worth a `stat`."""

    def read(self, path: VaultPath) -> FileBytes | None:
        """The whole file, or `None` where there is none. Raises `StorageError` where it is there
        but can't be read or is larger than the limit."""

    def real(self, path: VaultPath) -> VaultPath | None:
        """Where the regular file lies that a path leads to, over links inside the vault; `None` where
        there is none, or none that may be reached that way."""

    def link_text(self, path: VaultPath) -> bytes | None:
        """Where the link of that name points, as it is written in it; `None` where it is no link."""

    def write(
        self, path: VaultPath, content: bytes, *, replacing: str | None, like: VaultPath | None = None
    ) -> FileStamp:
        """Put the bytes there atomically and durably (temp, fsync, rename, folder fsync).

        `replacing` is the sha256 of the bytes that must be there now; `None` demands that nothing
        is there. Raises `ConflictError` otherwise, `StorageError` when the disk says no; in both
        cases the old content is whole and no stray file is left. Keeps mode, owner and links; a new
        file gets those of the file `like`, where it is given and there."""

    def remove(self, path: VaultPath, *, replacing: str) -> None:
        """Delete the file (of a link, the link), durably; same checks as `write`."""

    def names_in(self, folder: Namespace) -> frozenset[str]:
        """The names in a folder, case-folded and in NFC; empty where there is no folder."""

    def spelled(self, folder: Namespace) -> Namespace:
        """The folder by the names of those that are there, where its own differ only in case or form."""

    def sweep(self) -> tuple[str, ...]:
        """Delete temporary files that a killed vmem left; the paths deleted. Under the lock only."""

    def facts(self) -> PlaceFacts:
        """The disk and the vault's own folder on it. Raises `StorageError`."""

    def mend(self) -> tuple[str, ...]:
        """Put the vault's own folder in order; what was done, in words. Under the lock only."""


class Lock(Protocol):
    """The vault's one writer at a time, across processes and threads; freed when a holder dies."""

    def held(self, *, wait: float) -> AbstractContextManager[None]:
        """Hold it. Waits up to `wait` seconds, then raises `LockedError`. Re-entrant in a thread."""

    def holder(self) -> tuple[int, str] | None:
        """(process number, what it runs) of another that holds it now, `None` where nobody does."""
