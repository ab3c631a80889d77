"""What has been read of an index and is kept in memory, and for how long it holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from vault_memory.adapters.indexes.sqlite.matrix import Matrix
    from vault_memory.model.change import KnownFile
    from vault_memory.model.corpus import Corpus, Postings
    from vault_memory.model.memory import Entry
    from vault_memory.model.namespace import VaultPath
    from vault_memory.ports import Spread

CACHED_ENTRIES = 50_000
CACHED_PLACES = 2_000_000
"""How many passage numbers the kept postings hold together; 24 bytes each."""


@dataclass(slots=True)
class Seen:
    """What has been read of one generation."""

    generation: int
    corpus: Corpus | None = None
    """That of all memories."""
    corpora: dict[str, Corpus] = field(default_factory=dict)
    """By agent, that of what they may read."""
    postings: dict[str, Postings] = field(default_factory=dict)
    places: int = 0
    counts: dict[str | None, int] = field(default_factory=dict)
    all_embedded: bool = False
    share: tuple[int, int] | None = None
    """How many texts have a vector, and how many there are."""

    def keep(self, found: Postings) -> Postings:
        """Keep a term's postings; all others go where there are too many."""
        taken = found.passages.size + 100  # an unknown term takes room too
        if self.places + taken > CACHED_PLACES:
            self.postings.clear()
            self.places = 0
        self.places += taken
        self.postings[found.term] = found
        return found


@dataclass(slots=True)
class Kept:
    """What has been read of one file and outlives a generation."""

    files: dict[VaultPath, KnownFile] = field(default_factory=dict)
    files_as_of: int = -1
    """The count of writes at which `files` was read."""
    entries: dict[int, Entry] = field(default_factory=dict)
    """By memory number, which is never given twice: what is here once stays true."""
    matrix: Matrix | None = None

    def matrix_of(
        self, name: str, embedder: str, dimensions: int, spread: Spread, folder: Path | None
    ) -> Matrix:
        """The one of that embedder, width and spread; `name` is that of its file in the folder."""
        from vault_memory.adapters.indexes.sqlite.matrix import Matrix

        if self.matrix is None or (self.matrix.dimensions, self.matrix.spread) != (dimensions, spread):
            self.matrix = Matrix(embedder, dimensions, spread, folder=folder, name=name)
        return self.matrix
