"""What has been read of one file and is kept in memory, and for how long it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import reads
from vault_memory.adapters.indexes.sqlite.followed import Followed
from vault_memory.adapters.indexes.sqlite.rows import Row, entry
from vault_memory.adapters.indexes.sqlite.warming import Warming

if TYPE_CHECKING:
    from pathlib import Path

    import apsw

    from vault_memory.adapters.indexes.sqlite.matrix import Matrix
    from vault_memory.adapters.indexes.sqlite.schema import Meta
    from vault_memory.model.change import KnownFile
    from vault_memory.model.memory import Entry
    from vault_memory.model.namespace import VaultPath
    from vault_memory.ports import Spread

KEPT_ENTRIES = 50_000
KEPT_FILES = 5_000
"""Of those asked for by name."""


class Kept:
    """`follow` comes before each use, once a transaction."""

    def __init__(self) -> None:
        self.passages = Followed()
        self._writes = -1
        self._files: dict[VaultPath, KnownFile] | None = None
        self._some_files: dict[VaultPath, KnownFile | None] = {}
        self._entries: dict[int, Entry] = {}
        """By memory number, which is never given twice: what is here once stays true."""
        self._matrix: Matrix | None = None
        self.warming = Warming()

    def follow(self, db: apsw.Connection, meta: Meta) -> None:
        """Bring what is kept to the generation of this transaction, or let it go."""
        if meta.writes != self._writes:
            self._writes = meta.writes
            self._files = None
            self._some_files.clear()
        self.passages.follow(db, meta)

    def files(self, db: apsw.Connection) -> dict[VaultPath, KnownFile]:
        """Every file, in path order."""
        if self._files is None:
            self._files = reads.known_files(db)
        return self._files

    def some_files(self, db: apsw.Connection, paths: Iterable[VaultPath]) -> dict[VaultPath, KnownFile]:
        """Those of the paths that are there."""
        if self._files is not None:
            return {path: self._files[path] for path in paths if path in self._files}
        asked = list(paths)
        found = {path: self._some_files[path] for path in asked if path in self._some_files}
        absent = [path for path in asked if path not in found]
        if absent:
            read = reads.known(db, absent)
            found.update((path, read.get(path)) for path in absent)
            if len(self._some_files) > KEPT_FILES:
                self._some_files.clear()
            self._some_files.update(found)
        return {path: file for path in asked if (file := found[path]) is not None}

    def entries(self, db: apsw.Connection, memories: Iterable[int]) -> dict[int, Entry]:
        """Memories by number, these and others."""
        known = self._entries
        asked = set(memories)
        absent = asked.difference(known)
        if absent:
            if len(known) + len(absent) > KEPT_ENTRIES:
                known.clear()
                absent = asked
            known.update(reads.entries_by_number(db, sorted(absent)))
        return known

    def entry(self, row: Row) -> Entry:
        """The entry of a row of `ENTRY_COLUMNS`."""
        found = self._entries.get(row[0])
        if found is None:
            found = entry(row)
            if len(self._entries) < KEPT_ENTRIES:
                self._entries[row[0]] = found
        return found

    def matrix_of(
        self, name: str, embedder: str, dimensions: int, spread: Spread, folder: Path | None
    ) -> Matrix:
        """The one of that embedder, width and spread; `name` is that of its file in the folder."""
        from vault_memory.adapters.indexes.sqlite.matrix import Matrix

        if self._matrix is None or (self._matrix.dimensions, self._matrix.spread) != (dimensions, spread):
            self._matrix = Matrix(embedder, dimensions, spread, folder=folder, name=name)
        return self._matrix
