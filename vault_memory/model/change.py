"""Comparing what lies on disk with what the index knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from vault_memory.model.memory import Memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import PassageTerms

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was scanned may change again within the clock's tick."""


class FileStamp(NamedTuple):
    """What `stat` says of a file. Equal stamps mean "not changed" unless the stamp is racy.

    A named tuple, as `KnownFile` is: of a hundred thousand files they are made in a third of the time."""

    path: VaultPath
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def same_as(self, other: FileStamp) -> bool:
        """Whether nothing that `stat` shows has changed."""
        return self[1:] == other[1:]


class KnownFile(NamedTuple):
    """A file as the index last read it. `settled` is false where the stamp was racy then."""

    stamp: FileStamp
    version: str
    settled: bool


@dataclass(frozen=True, slots=True)
class FileDiff:
    """Paths to read (new, changed, or too fresh to trust) and paths that are gone."""

    suspect: tuple[FileStamp, ...]
    gone: tuple[VaultPath, ...]

    def __bool__(self) -> bool:
        return bool(self.suspect or self.gone)


def diff(found: Iterable[FileStamp], known: Mapping[VaultPath, KnownFile]) -> FileDiff:
    """Compare a full scan with the index's files."""
    suspect: list[FileStamp] = []
    seen: set[VaultPath] = set()
    for stamp in found:
        seen.add(stamp.path)
        old = known.get(stamp.path)
        if old is None or not old.settled or stamp != old.stamp:
            suspect.append(stamp)
    gone = tuple(path for path in known if path not in seen)
    return FileDiff(tuple(suspect), gone)


def settled(stamp: FileStamp, scanned_ns: int) -> bool:
    """Whether a stamp taken at wall time `scanned_ns` can be trusted to show the next change."""
    return stamp.mtime_ns + RACY_NS < scanned_ns and stamp.ctime_ns + RACY_NS < scanned_ns


@dataclass(frozen=True, slots=True)
class Upsert:
    """A file to put into the index, from the bytes just read."""

    stamp: FileStamp
    settled: bool
    memory: Memory
    passages: tuple[PassageTerms, ...]


@dataclass(frozen=True, slots=True)
class Restamp:
    """A file whose bytes are as known and whose stamp is not."""

    stamp: FileStamp
    settled: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """A file to drop from the index."""

    path: VaultPath


Change = Upsert | Restamp | Removal


class Touch(StrEnum):
    """What became of a file in the index."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What a refresh did. `reason` says why the answer may be stale, `None` where it is fresh."""

    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    embedded: int = 0
    generation: int = 0
    rebuilt: str | None = None
    """Why the index was built anew (`"schema 2 → 3"`, `"the file was damaged"`), else `None`."""
    reason: str | None = None
    unreadable: tuple[tuple[str, str], ...] = ()
    """(path, reason) of files that could not be read; each is named once."""
    touched: tuple[tuple[Touch, VaultPath], ...] = ()
    """The files that were added, changed or removed."""
