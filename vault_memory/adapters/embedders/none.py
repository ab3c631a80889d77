"""For those who search by keyword only: no embedder, no reranker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors


class NoEmbedder:
    """Vectors without dimensions: nothing is ever near by meaning."""

    id = "none"
    dimensions = 0
    span = (0.0, 1.0)
    trust = 0.0

    def __init__(self, reason: str) -> None:
        self.reason: str | None = reason

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), 0)."""
        import numpy as np

        return np.zeros((len(texts), 0), dtype=np.float32)

    def query(self, text: str) -> Vectors:
        """Shape (1, 0)."""
        return self.passages([text])


class NoReranker:
    """Nothing is read once more."""

    id = "none"
    reason: str | None = "no reranker is set"

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002  # that of the port
        """Nobody asks: there is a reason."""
        return [0.0] * len(texts)


def create_none(reason: str = "no embedder is set") -> NoEmbedder:
    """Keyword search only, and the reason that people are told."""
    return NoEmbedder(reason)
