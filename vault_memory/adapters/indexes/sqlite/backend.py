"""The `Index` port on one SQLite file."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vault_memory.adapters.indexes.sqlite import schema, write
from vault_memory.adapters.indexes.sqlite.connection import (
    DROPPED,
    PATIENCE,
    Patience,
    Wish,
    random_instance,
    replace,
    translated,
)
from vault_memory.adapters.indexes.sqlite.readable import ReadableFile
from vault_memory.adapters.indexes.sqlite.shelf import SqliteShelf
from vault_memory.adapters.indexes.sqlite.tidy import bring_in_log, merge_a_little
from vault_memory.adapters.indexes.sqlite.vectors import store

if TYPE_CHECKING:
    from vault_memory.model.change import Change

MERGES = 8
"""So many times at most `tidy` merges a little."""
PAUSE = 0.0005
"""Seconds between two of them, in which a writer of this process takes its turn."""
WRITES_IN_LOG = 30
"""After so many writes the log is worth bringing in: some 2 MB."""


class SqliteIndex(ReadableFile):
    """The sidecar. `path` is the file's, `None` keeps the index in memory.

    A file that is damaged, of another schema or missing is made anew and `rebuilt` says why until
    it is filled. `generation` counts changes of content: new stamps of unchanged files leave it.
    """

    _untidy = 0
    """How many writes there were since the log was last brought in."""

    @classmethod
    def open(
        cls,
        path: Path | None,
        *,
        embedder_id: str = schema.NO_EMBEDDER,
        reading: str = "",
        new_instance: Callable[[], str] = random_instance,
        patience: Patience = PATIENCE,
        shared_memory: bool = True,
    ) -> Self:
        """Open the file at `path`; `new_instance` names it if it has to be made.

        `reading` names the settings that decide how files are read: an index of another reading is made
        anew. Without `shared_memory`, as on a network disk, it is kept in a form that needs none."""
        return cls(path, Wish(embedder_id, reading, new_instance, patience, shared_memory))

    def beside(self, path: Path) -> Self:
        """Another index, in the file at `path`: of the same embedder, and read by the same settings."""
        return type(self)(path, self._wish)

    @property
    def shelf(self) -> SqliteShelf:
        """The vectors it keeps."""
        return SqliteShelf(
            self._embedder, self.reading, self._writing, lambda: self._db, lambda: self._kept.passages
        )

    def apply(self, changes: Sequence[Change], *, vectors: Mapping[str, bytes] | None = None) -> int:
        """All changes in one transaction, durable to a kill; the generation afterwards."""
        if self._embedder == schema.NO_EMBEDDER:
            vectors = None
        if not changes and not vectors:
            return self.generation
        with self._writing():
            meta = schema.read_meta(self._db)
            wrote, changed = write.write_changes(self._db, changes, meta)
            if vectors:
                store(self._db, self._embedder, vectors)
            generation = meta.generation + int(changed or bool(vectors))
            if wrote or vectors:
                schema.write_fact(self._db, "generation", generation)
                schema.write_fact(self._db, "writes", meta.writes + 1)
            if wrote and meta.empty_because is not None:
                schema.write_fact(self._db, "empty_because", None)
            self._untidy += 1
            return generation

    def tidy(self) -> None:
        """Do a part of what many small writes leave to be done; writers wait a millisecond at most."""
        if not self._untidy or not self.writable:
            return
        for _ in range(MERGES):
            with self._writing():
                if not merge_a_little(self._db):
                    break
            time.sleep(PAUSE)
        if self._untidy >= WRITES_IN_LOG and self._path is not None and self._wish.shared_memory:
            with translated(self._path, writing=True):
                bring_in_log(self._path)
            self._untidy = 0

    def drop(self) -> None:
        """Forget everything but vectors. A damaged file is thrown away whole."""
        with self._lock:
            if self._damaged and self._path is not None:
                with translated(self._path, writing=True):
                    self._db.close()
                    self._hold(replace(self._path, self._wish))
                return
            with self._writing():
                meta = schema.read_meta(self._db)
                write.empty(self._db, meta)
                schema.write_fact(self._db, "generation", meta.generation + 1)
                schema.write_fact(self._db, "writes", meta.writes + 1)
                # Of what changed before nothing is known any more, so it is another index.
                schema.write_fact(self._db, "instance", self._wish.new_instance())
                schema.write_fact(self._db, "empty_because", DROPPED)
