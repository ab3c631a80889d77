"""The vectors that an index keeps: which texts lack one, and whose may go."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.adapters.indexes.sqlite import schema, vectors

if TYPE_CHECKING:
    import apsw

    from vault_memory.adapters.indexes.sqlite.followed import Followed


@dataclass(frozen=True, slots=True)
class SqliteShelf:
    """The `Shelf` of one index, which lends it its transactions."""

    embedder: str
    reading: Callable[[], AbstractContextManager[None]]
    writing: Callable[[], AbstractContextManager[None]]
    db: Callable[[], apsw.Connection]
    passages: Callable[[], Followed]

    def missing(self, limit: int | None = None) -> dict[str, str]:
        """Text hash → text of the first passages without a vector; nothing where there is no embedder."""
        with self.reading():
            passages = self.passages()
            if self.embedder == schema.NO_EMBEDDER or passages.unvectored == set():
                return {}
            found = vectors.missing(self.db(), self.embedder, limit, passages.unvectored)
            if not found:
                passages.unvectored = set()
            return found

    def share(self) -> tuple[int, int]:
        """(texts with a vector of the current embedder, all texts)."""
        with self.reading():
            passages = self.passages()
            if passages.share is None:
                passages.share = vectors.share(self.db(), self.embedder)
            return passages.share

    def complete(self) -> bool:
        """Whether no text lacks a vector; cheap where that is known."""
        return not self.missing(1)

    def kept(self) -> dict[str, int]:
        """How many vectors there are, by embedder."""
        with self.reading():
            return vectors.counts(self.db())

    def settle(self) -> None:
        """Note whose vectors are complete, and let go of all others but those of the one before."""
        if self.embedder != schema.NO_EMBEDDER:
            with self.writing():
                vectors.settle(self.db(), self.embedder)

    def prune(self) -> int:
        """Let go of the vectors of texts that no passage holds any more; how many there were."""
        with self.writing():
            return vectors.prune(self.db())
