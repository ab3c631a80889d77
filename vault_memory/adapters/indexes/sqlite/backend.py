"""The `Index` port on one SQLite file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vault_memory.adapters.indexes.sqlite import connection, dump, lexical, reads, schema, write
from vault_memory.adapters.indexes.sqlite.connection import (
    DROPPED,
    PATIENCE,
    Mode,
    Opened,
    Patience,
    Wish,
    connect,
    in_memory,
    last_written_ns,
    mark_of,
    random_instance,
    replace,
    translated,
)
from vault_memory.adapters.indexes.sqlite.kept import CACHED_ENTRIES, Kept, Seen
from vault_memory.adapters.indexes.sqlite.rows import Row, entry
from vault_memory.adapters.indexes.sqlite.shelf import SqliteShelf
from vault_memory.adapters.indexes.sqlite.vectors import store
from vault_memory.errors import IndexDamagedError, StorageError
from vault_memory.ports import ALONE

if TYPE_CHECKING:
    from vault_memory.model.change import Change, KnownFile
    from vault_memory.model.corpus import Corpus, Flags, Floats, Numbers, Postings
    from vault_memory.model.memory import Entry, Finding, Link
    from vault_memory.model.namespace import Namespace, Scope, VaultPath
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Spread


class SqliteIndex:
    """The sidecar. `path` is the file's, `None` keeps the index in memory.

    A file that is damaged, of another schema or missing is made anew and `rebuilt` says why until
    it is filled. `generation` counts changes of content: new stamps of unchanged files leave it.
    One connection, used by one thread at a time; other processes may read and write beside it,
    and where one of them puts another file in this one's place, the next read follows.
    """

    def __init__(self, path: Path | None, wish: Wish) -> None:
        self._path = path
        self._wish = wish
        self._embedder = wish.embedder
        self._lock = threading.RLock()
        self._depth = 0
        with translated(path):
            self._hold(in_memory(wish) if path is None else connect(path, wish))

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

    # What it says of itself

    @property
    def generation(self) -> int:
        """Grows by one with each `apply` that changed content."""
        with self.reading():
            return self._meta.generation

    @property
    def instance(self) -> str:
        """The name of this very file: another one once it was made anew."""
        with self.reading():
            return self._meta.instance

    @property
    def notice(self) -> str | None:
        """Why the index can't be written or is kept in memory; `None` when all is well."""
        return self._opened.notice

    @property
    def rebuilt(self) -> str | None:
        """Why there is something to fill anew: the index, or (`embedder a → b`) its vectors."""
        with self.reading():
            if self._meta.empty_because is not None:
                return self._meta.empty_because
            if self._embedder in (schema.NO_EMBEDDER, self._meta.embedder):
                return None
            return f"embedder {self._meta.embedder} → {self._embedder}"

    @property
    def writable(self) -> bool:
        """Whether `apply` can succeed."""
        return self._opened.mode in (Mode.OWN, Mode.MEMORY)

    @property
    def written_ns(self) -> int | None:
        """When its file, or the log beside it, last changed."""
        return last_written_ns(self._path)

    @property
    def shelf(self) -> SqliteShelf:
        """The vectors it keeps."""
        return SqliteShelf(self._embedder, self.reading, self._writing, lambda: self._db, lambda: self._seen)

    # Transactions

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All reads inside see one generation. May be nested; `apply` must stay outside."""
        with self._lock, self._telling():
            self._depth += 1
            try:
                if self._depth == 1:
                    self._begin()
                yield
            finally:
                self._depth -= 1
                if self._depth == 0 and self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def apply(self, changes: Sequence[Change], *, vectors: Mapping[str, bytes] | None = None) -> int:
        """All changes in one transaction, durable to a kill; the generation afterwards."""
        if self._embedder == schema.NO_EMBEDDER:
            vectors = None
        if not changes and not vectors:
            return self.generation
        with self._writing():
            wrote, changed = write.write_changes(self._db, changes)
            if vectors:
                store(self._db, self._embedder, vectors)
            meta = schema.read_meta(self._db)
            generation = meta.generation + int(changed or bool(vectors))
            if wrote or vectors:
                schema.write_fact(self._db, "generation", generation)
                schema.write_fact(self._db, "writes", meta.writes + 1)
            if wrote and meta.empty_because is not None:
                schema.write_fact(self._db, "empty_because", None)
            return generation

    def check(self) -> None:
        """Look at the whole file; raises `IndexDamagedError`."""
        with self.reading():
            connection.check(self._db, self._path)

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
                write.empty(self._db)
                schema.write_fact(self._db, "generation", meta.generation + 1)
                schema.write_fact(self._db, "writes", meta.writes + 1)
                schema.write_fact(self._db, "empty_because", DROPPED)

    def close(self) -> None:
        """Close the file; the last to close leaves no log beside it."""
        with self._lock, translated(self._path):
            self._db.close()

    # Files and memories

    def known_files(self) -> dict[VaultPath, KnownFile]:
        """Every file the index holds, in path order."""
        with self.reading():
            kept = self._kept
            if kept.files_as_of != self._meta.writes:
                kept.files = reads.known_files(self._db)
                kept.files_as_of = self._meta.writes
            return kept.files.copy()

    def known(self, paths: Iterable[VaultPath]) -> dict[VaultPath, KnownFile]:
        """Those of the paths that the index holds."""
        with self.reading():
            kept = self._kept
            if kept.files_as_of == self._meta.writes:
                return {path: kept.files[path] for path in paths if path in kept.files}
            return reads.known(self._db, paths)

    def entry(self, path: VaultPath) -> Entry | None:
        """One memory."""
        with self.reading():
            return reads.entry_at(self._db, path)

    def entries_of(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The memory of each passage number."""
        with self.reading():
            memory_of = self._memories_of([int(number) for number in numbers])
            known = self._kept.entries
            absent = set(memory_of.values()).difference(known)
            if absent:
                known.update(reads.entries_by_number(self._db, sorted(absent)))
            return {number: known[memory] for number, memory in memory_of.items()}

    def entries(self, scope: Scope, *, under: Namespace | None = None) -> list[Entry]:
        """All that the scope may read, in path order."""
        with self.reading():
            return self._readable(reads.readable_entries(self._db, scope, under), scope)

    def expired(self, scope: Scope, at: datetime) -> list[Entry]:
        """Those of them that end at that time or before, in path order."""
        with self.reading():
            return self._readable(reads.expired(self._db, scope, at), scope)

    def count(self, scope: Scope) -> int:
        """How many memories the scope may read."""
        with self.reading():
            counts = self._seen.counts
            if scope.agent not in counts:
                counts[scope.agent] = reads.count(self._db, scope)
            return counts[scope.agent]

    def find(self, scope: Scope, *, id_prefix: str | None = None, title: str | None = None) -> list[Entry]:
        """Those with the id prefix, and those with the title; in path order."""
        with self.reading():
            rows: dict[int, Row] = {}
            if id_prefix is not None:
                rows.update((row[0], row) for row in reads.by_id(self._db, scope, id_prefix))
            if title is not None:
                rows.update((row[0], row) for row in reads.by_title(self._db, scope, title))
            return self._readable(sorted(rows.values(), key=lambda row: str(row[1])), scope)

    def same_text(self, folder: Namespace, body_hash: str) -> list[Entry]:
        """The memories of that folder (and its month folders) whose `text_key` is that, in path order."""
        with self.reading():
            return reads.same_text(self._db, folder, body_hash)

    def links_from(self, path: VaultPath) -> list[Link]:
        """As written."""
        with self.reading():
            return reads.links_of(self._db, path)

    def links(self, scope: Scope) -> list[tuple[VaultPath, Link]]:
        """Every link with the path that it stands in, in path order."""
        with self.reading():
            return reads.links(self._db, scope)

    def findings(self, scope: Scope) -> list[Finding]:
        """Faults found while reading, in path and line order."""
        with self.reading():
            return reads.findings(self._db, scope)

    # Passages, terms and vectors

    def passages(self, numbers: Iterable[int]) -> dict[int, StoredPassage]:
        """Passages by number."""
        with self.reading():
            return reads.passages(self._db, numbers)

    def passages_of(self, path: VaultPath) -> list[StoredPassage]:
        """A memory's passages in order."""
        with self.reading():
            return reads.passages_of(self._db, path)

    def corpus(self, scope: Scope) -> Corpus:
        """Counts and lengths that BM25 needs of what the scope may read."""
        with self.reading():
            corpora = self._seen.corpora
            if scope.agent is None:
                return self._whole_corpus()
            if scope.agent not in corpora:
                hidden = lexical.read_hidden(self._db, scope.agent)
                corpora[scope.agent] = self._whole_corpus().without(hidden)
            return corpora[scope.agent]

    def postings(self, terms: Sequence[str]) -> list[Postings]:
        """For each term, which passages hold it and how often."""
        with self.reading():
            return [self._postings_of(term) for term in terms]

    def nearest(
        self, query: Vectors, limit: int, spread: Spread = ALONE, among: Flags | None = None
    ) -> tuple[Numbers, Floats]:
        """Numbers and cosines of the nearest passages, best first."""
        with self.reading():
            # A file that another machine may put anew is not mapped into memory.
            may_keep = self._path is not None and self.writable and self._wish.shared_memory
            folder = self._path.parent if self._path is not None and may_keep else None
            name = f"{self._meta.instance} {self._embedder}"
            matrix = self._kept.matrix_of(name, self._embedder, query.size, spread, folder)
            if self._embedder != schema.NO_EMBEDDER and query.size:
                matrix.look(self._db, self._meta.generation, self._whole_corpus().memories)
            return matrix.nearest(query, limit, among)

    def dump(self) -> object:
        """The whole content, canonical."""
        with self.reading():
            return dump.dump(self._db, self._embedder)

    # Inner works

    def _hold(self, opened: Opened) -> None:
        """Take an index just opened, and forget what was read of another."""
        self._opened = opened
        self._db = opened.db
        self._damaged = False
        self._meta = schema.read_meta(opened.db)
        self._seen = Seen(self._meta.generation)
        self._kept = Kept()

    def _follow(self) -> None:
        """Open the path again where another file lies there now, or none."""
        if self._path is None or self._opened.mode is Mode.MEMORY:
            return
        mark = mark_of(self._path, self._opened.mode)
        if mark is None or mark != self._opened.mark:
            self._db.close()
            self._hold(connect(self._path, self._wish))

    def _begin(self) -> None:
        self._follow()
        self._db.execute("BEGIN")
        self._meta = schema.read_meta(self._db)
        if self._seen.generation != self._meta.generation:
            self._seen = Seen(self._meta.generation)
            if len(self._kept.entries) > CACHED_ENTRIES:
                self._kept.entries.clear()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction that is there whole or not at all, waiting for other writers."""
        with self._lock, self._telling(writing=True):
            if self._depth:
                raise RuntimeError("an index can't be written inside its reading()")
            self._follow()
            if not self.writable:
                raise StorageError(str(self._path), self.notice or "it is read-only")
            self._db.set_busy_timeout(int(self._wish.patience.writing * 1000))
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._db.set_busy_timeout(int(self._wish.patience.reading * 1000))

    @contextmanager
    def _telling(self, *, writing: bool = False) -> Iterator[None]:
        try:
            with translated(self._path, writing=writing):
                yield
        except IndexDamagedError:
            self._damaged = True
            raise

    def _whole_corpus(self) -> Corpus:
        seen = self._seen
        if seen.corpus is None:
            seen.corpus = lexical.read_corpus(self._db)
        return seen.corpus

    def _memories_of(self, passages: list[int]) -> dict[int, int]:
        corpus = self._seen.corpus
        if corpus is None:
            return reads.memories_of(self._db, passages)
        inside = [number for number in passages if 0 <= number < corpus.memories.size]
        held = corpus.memories[inside].tolist() if inside else []
        return {number: memory for number, memory in zip(inside, held, strict=True) if memory >= 0}

    def _postings_of(self, term: str) -> Postings:
        seen = self._seen
        found = seen.postings.get(term)
        if found is None:
            found = seen.keep(lexical.read_postings(self._db, term))
        return found

    def _readable(self, rows: Iterable[Row], scope: Scope) -> list[Entry]:
        known = self._kept.entries
        allowed: list[Entry] = []
        for row in rows:
            if scope.may_read(row[1]):
                if row[0] not in known:
                    known[row[0]] = entry(row)
                allowed.append(known[row[0]])
        return allowed
