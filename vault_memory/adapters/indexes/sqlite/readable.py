"""What can be asked of an index's file: memories, passages, terms, vectors, and the files it knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import dump, reads, said, schema, since
from vault_memory.adapters.indexes.sqlite.held import HeldFile
from vault_memory.adapters.indexes.sqlite.holding import holding
from vault_memory.adapters.indexes.sqlite.rows import Row
from vault_memory.model.namespace import PERSON
from vault_memory.ports import ALONE

if TYPE_CHECKING:
    from vault_memory.model.change import KnownFile
    from vault_memory.model.changes import Since
    from vault_memory.model.corpus import Corpus, Flags, Floats, Numbers, Postings
    from vault_memory.model.memory import Entry, Finding, Indexed, Link, Memory
    from vault_memory.model.namespace import Namespace, Scope, VaultPath
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Spread


class ReadableFile(HeldFile):
    """The reading half of the `Index` port."""

    # Files and memories

    def known_files(self) -> dict[VaultPath, KnownFile]:
        """Every file the index holds, in path order."""
        with self._reading:
            return self._kept.files(self._db).copy()

    def known(self, paths: Iterable[VaultPath]) -> dict[VaultPath, KnownFile]:
        """Those of the paths that the index holds."""
        with self._reading:
            return self._kept.some_files(self._db, paths)

    def entry(self, path: VaultPath) -> Entry | None:
        """One memory."""
        with self._reading:
            return reads.entry_at(self._db, path)

    def entries_of(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The memory of each passage number."""
        with self._reading:
            passages, memories = self._memories_of(numbers)
            entries = self._kept.entries(self._db, memories)
            return dict(zip(passages, map(entries.__getitem__, memories), strict=True))

    def memories(self, numbers: Iterable[int]) -> Mapping[int, Entry]:
        """Memories by number, these and others."""
        with self._reading:
            return self._kept.entries(self._db, numbers)

    def entries(self, scope: Scope, *, under: Namespace | None = None) -> list[Entry]:
        """All that the scope may read, in path order."""
        with self._reading:
            return self._readable(reads.readable_entries(self._db, scope, under), scope)

    def expired(self, scope: Scope, at: datetime) -> list[Entry]:
        """Those of them that end at that time or before, in path order."""
        with self._reading:
            return self._readable(reads.expired(self._db, scope, at), scope)

    def count(self, scope: Scope) -> int:
        """How many memories the scope may read."""
        with self._reading:
            return self._kept.passages.count(self._db, scope)

    def size_of_agent(self, agent: str) -> tuple[int, int]:
        """How many memories are the agent's, and the bytes of their files."""
        with self._reading:
            return reads.size_of_agent(self._db, agent)

    def size_below(self, folder: str) -> tuple[int, int]:
        """How many memories lie below a folder, and the bytes of their files."""
        with self._reading:
            return reads.size_below(self._db, folder)

    def since(self, scope: Scope, generation: int) -> Since | None:
        """What the scope may read of what came and left after a generation; `None` if that is not known."""
        with self._reading:
            return since.since(self._db, self._meta, scope, generation)

    def find(self, scope: Scope, *, id_prefix: str | None = None, title: str | None = None) -> list[Entry]:
        """Those with the id prefix, and those with the title; in path order."""
        with self._reading:
            rows: dict[int, Row] = {}
            if id_prefix is not None:
                rows.update((row[0], row) for row in reads.by_id(self._db, scope, id_prefix))
            if title is not None:
                rows.update((row[0], row) for row in reads.by_title(self._db, scope, title))
            return self._readable(sorted(rows.values(), key=lambda row: str(row[1])), scope)

    def same_text(self, folder: Namespace, body_hash: str) -> list[Entry]:
        """The memories of that folder (and its month folders) whose `text_key` is that, in path order."""
        with self._reading:
            return reads.same_text(self._db, folder, body_hash)

    def holding(
        self, scope: Scope, terms: Iterable[str], *, folder: Namespace | None = None, most: int
    ) -> list[StoredPassage]:
        """At most so many passages that hold all of these terms, those with the highest numbers first."""
        with self._reading:
            return holding(self._db, scope, terms, folder, most)

    def links_from(self, path: VaultPath) -> list[Link]:
        """As written."""
        with self._reading:
            return reads.links_of(self._db, path)

    def links(self, scope: Scope) -> list[tuple[VaultPath, Link]]:
        """Every link with the path that it stands in, in path order."""
        with self._reading:
            return reads.links(self._db, scope)

    def superseding(self, scope: Scope) -> list[tuple[VaultPath, Link, VaultPath | None]]:
        """The links of `supersedes`, with the file that each stands in and the memory that has this id."""
        with self._reading:
            return reads.superseding(self._db, scope)

    def named_as_superseded(self, scope: Scope, names: Iterable[str]) -> list[tuple[VaultPath, Link]]:
        """Those of them whose target is one of these names."""
        with self._reading:
            return reads.named_as_superseded(self._db, scope, names)

    def findings(self, scope: Scope) -> list[Finding]:
        """Faults found while reading, in path and line order."""
        with self._reading:
            return reads.findings(self._db, scope)

    def would_tell(self, memory: Memory, size: int) -> Indexed:
        """What it would tell of a memory in a file of so many bytes; reads nothing."""
        return said.given_back(memory, size)

    # Passages, terms and vectors

    def passages(self, numbers: Iterable[int]) -> dict[int, StoredPassage]:
        """Passages by number."""
        with self._reading:
            return self._kept.passages.passages(self._db, [int(number) for number in numbers])

    def passages_of(self, path: VaultPath) -> list[StoredPassage]:
        """A memory's passages in order."""
        with self._reading:
            return reads.passages_of(self._db, path)

    def corpus(self, scope: Scope) -> Corpus:
        """Counts and lengths that BM25 needs of what the scope may read."""
        with self._reading:
            return self._kept.passages.corpus(self._db, scope)

    def postings(self, terms: Sequence[str]) -> list[Postings]:
        """For each term, which passages hold it and how often."""
        with self._reading:
            return [self._kept.passages.postings(self._db, term) for term in terms]

    def nearest(
        self, query: Vectors, limit: int, spread: Spread = ALONE, among: Flags | None = None
    ) -> tuple[Numbers, Floats]:
        """Numbers and cosines of the nearest passages, best first."""
        with self._reading:
            # A file that another machine may put anew is not mapped into memory.
            may_keep = self._path is not None and self.writable and self._wish.shared_memory
            folder = self._path.parent if self._path is not None and may_keep else None
            name = f"{self._meta.instance} {self._embedder}"
            matrix = self._kept.matrix_of(name, self._embedder, query.size, spread, folder)
            if self._embedder != schema.NO_EMBEDDER and query.size:
                passages = self._kept.passages
                memories = passages.corpus(self._db, PERSON).memories
                matrix.look(self._db, self._meta.generation, memories, passages.changed)
                passages.changed = set()
            return matrix.nearest(query, limit, among)

    def warm(self) -> bool:
        """Read a little ahead of the questions to come; whether there is more to read."""
        with self._reading:
            return self._kept.warming.step(self._db, self._kept)

    def dump(self) -> object:
        """The whole content, canonical."""
        with self._reading:
            return dump.dump(self._db, self._embedder)

    # Inner works

    def _memories_of(self, passages: Iterable[int]) -> tuple[Sequence[int], Sequence[int]]:
        """Those of the passages that are there, and the memory of each."""
        corpus = self._kept.passages.known_corpus
        if corpus is None:
            found = reads.memories_of(self._db, passages)
            return tuple(found), tuple(found.values())
        size = corpus.memories.size
        inside = [number for number in passages if 0 <= number < size]
        memories = corpus.memories[inside].tolist() if inside else []
        if min(memories, default=0) >= 0:
            return inside, memories
        held = [at for at, memory in enumerate(memories) if memory >= 0]
        return [inside[at] for at in held], [memories[at] for at in held]

    def _readable(self, rows: Iterable[Row], scope: Scope) -> list[Entry]:
        return [self._kept.entry(row) for row in rows if scope.may_read(row[1])]
