"""The sidecar that search asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.change import Change, KnownFile
    from vault_memory.model.changes import Since
    from vault_memory.model.corpus import Corpus, Flags, Floats, Numbers, Postings
    from vault_memory.model.memory import Entry, Finding, Indexed, Link, Memory
    from vault_memory.model.namespace import Namespace, Scope, VaultPath
    from vault_memory.model.passage import StoredPassage
    from vault_memory.model.vector import Vectors


Spread = tuple[float, float, float, float]
"""What the vectors of the passages around one count beside its own: two before, one before, one after,
two after."""
ALONE: Spread = (0.0, 0.0, 0.0, 0.0)


class Shelf(Protocol):
    """The vectors that an index keeps, each by the hash of its text and its embedder."""

    def missing(self, limit: int | None = None) -> dict[str, str]:
        """Text hash → text of passages that have no vector of the current embedder, the first `limit`."""

    def complete(self) -> bool:
        """Whether no text lacks a vector of the current embedder; cheap, cached per generation."""

    def share(self) -> tuple[int, int]:
        """(texts with a vector of the current embedder, all texts); cached per generation."""

    def kept(self) -> dict[str, int]:
        """How many vectors there are, by embedder."""

    def settle(self) -> None:
        """Note that the current embedder's are complete; of the others, those made last stay."""

    def prune(self) -> int:
        """Forget the vectors of texts that are in no passage; how many there were."""


class Index(Protocol):
    """The sidecar: derived from the files, dropped and rebuilt at will."""

    @property
    def generation(self) -> int:
        """Grows by one with each `apply` that changed something."""

    @property
    def instance(self) -> str:
        """The name of this very index: another one once it was made anew."""

    @property
    def notice(self) -> str | None:
        """Why this index can't be written or had to be put elsewhere; `None` when all is well."""

    @property
    def rebuilt(self) -> str | None:
        """Why the index was found empty and has to be filled anew; `None` when it was usable."""

    @property
    def writable(self) -> bool:
        """Whether `apply` can succeed."""

    @property
    def written_ns(self) -> int | None:
        """When its file last changed, in nanoseconds since 1970; `None` where it has none."""

    @property
    def shelf(self) -> Shelf:
        """The vectors it keeps."""

    def reading(self) -> AbstractContextManager[None]:
        """All reads inside see one generation."""

    def known_files(self) -> dict[VaultPath, KnownFile]:
        """Every file the index holds."""

    def known(self, paths: Iterable[VaultPath]) -> dict[VaultPath, KnownFile]:
        """Those of these files that the index holds."""

    def apply(self, changes: Sequence[Change], *, vectors: Mapping[str, bytes] | None = None) -> int:
        """All changes in one transaction; the new generation. `vectors` (float32 little endian,
        unit length) by text hash are stored for the current embedder."""

    def tidy(self) -> None:
        """Do a part of what many small writes leave to be done: for a process that lives long, between
        its writes. Without it one write in many takes longer."""

    def corpus(self, scope: Scope) -> Corpus:
        """Counts and lengths that BM25 needs of what the scope may read; cached per generation."""

    def postings(self, terms: Sequence[str]) -> list[Postings]:
        """For each term, which passages hold it and how often (unknown terms: empty postings)."""

    def nearest(
        self, query: Vectors, limit: int, spread: Spread = ALONE, among: Flags | None = None
    ) -> tuple[Numbers, Floats]:
        """Numbers and cosines of the `limit` nearest passages, best first, equal ones by number.

        A passage's vector is the unit vector of its own and, times `spread`, those of the passages
        around it in its memory. `among` (by passage number) says which may be found. Empty without
        vectors."""

    def passages(self, numbers: Iterable[int]) -> dict[int, StoredPassage]:
        """Passages by number."""

    def passages_of(self, path: VaultPath) -> list[StoredPassage]:
        """A memory's passages in order."""

    def entry(self, path: VaultPath) -> Entry | None:
        """One memory."""

    def entries_of(self, numbers: Iterable[int]) -> dict[int, Entry]:
        """The memory of each passage number."""

    def memories(self, numbers: Iterable[int]) -> Mapping[int, Entry]:
        """Memories by the numbers that `Corpus.memories` has for them: these and perhaps others."""

    def entries(self, scope: Scope, *, under: Namespace | None = None) -> list[Entry]:
        """All that the scope may read, in path order."""

    def expired(self, scope: Scope, at: datetime) -> list[Entry]:
        """Those that the scope may read whose `expires` is not after `at`, in path order."""

    def count(self, scope: Scope) -> int:
        """How many memories the scope may read; cached per generation."""

    def size_of_agent(self, agent: str) -> tuple[int, int]:
        """How many memories lie in its private folder or name it as their `source_agent`, and the bytes of
        their files together."""

    def size_below(self, folder: str) -> tuple[int, int]:
        """How many memories lie in that folder and below it, and the bytes of their files together; a folder
        that some system or a reader takes for it, behind the first slash, is the same."""

    def since(self, scope: Scope, generation: int) -> Since | None:
        """What the scope may read of what came and left after that generation of this very index, each the
        newest first; `None` where that is not known (any more)."""

    def find(self, scope: Scope, *, id_prefix: str | None = None, title: str | None = None) -> list[Entry]:
        """By id prefix (case-insensitive, literal) or exact title (case-insensitive), in path order."""

    def same_text(self, folder: Namespace, body_hash: str) -> list[Entry]:
        """The memories of that folder (and its month folders) whose normalised body has that hash."""

    def holding(
        self, scope: Scope, terms: Iterable[str], *, folder: Namespace | None = None, most: int
    ) -> list[StoredPassage]:
        """At most `most` passages whose text holds all of these terms, the last written ones first, of
        memories that the scope may read (with `folder`: that lie in it or its month folders). What it costs
        is what the terms cost; no terms give nothing."""

    def links_from(self, path: VaultPath) -> list[Link]:
        """As written."""

    def links(self, scope: Scope) -> list[tuple[VaultPath, Link]]:
        """Every link as written, with the path of the file it stands in, in path order."""

    def superseding(self, scope: Scope) -> list[tuple[VaultPath, Link, VaultPath | None]]:
        """The links of the key `supersedes`, in path order, each with the file that it stands in and the one
        memory that has its target for an id, if there is one; cheap where there are few such links."""

    def named_as_superseded(self, scope: Scope, names: Iterable[str]) -> list[tuple[VaultPath, Link]]:
        """Those of them whose target is written as one of these names; what it costs is what is found."""

    def findings(self, scope: Scope) -> list[Finding]:
        """Faults found while reading, in path and line order."""

    def would_tell(self, memory: Memory, size: int) -> Indexed:
        """What it would tell of a memory, in a file of so many bytes, that it need not hold; it reads and
        writes nothing."""

    def warm(self) -> bool:
        """Read a little ahead of the questions to come, in a process that lives long; whether there is more
        to read. It takes no longer than an answer may wait."""

    def dump(self) -> object:
        """The whole content but numbers and generation, canonical: equal for equal files."""

    def check(self) -> None:
        """Look at the whole file; raises `IndexDamagedError` where it is not what it was."""

    def drop(self) -> None:
        """Forget everything but vectors; the next refresh fills it again. It is another instance then."""

    def close(self) -> None:
        """Close the files."""
