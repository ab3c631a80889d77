"""Texts to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def id(self) -> str:
        """Name and version of the model; vectors of different ids are never compared. `none` for none."""

    @property
    def dimensions(self) -> int:
        """0 for none."""

    @property
    def reason(self) -> str | None:
        """Why there is no meaning search, `None` when there is."""

    @property
    def span(self) -> tuple[float, float]:
        """The cosine of texts that have nothing to do with each other, and of paraphrases."""

    @property
    def trust(self) -> float:
        """What the greatest likeness counts beside the best match of words, 0–1."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """float32, shape (len(texts), dimensions), unit rows; empty text gives a zero row, no NaN.
        Raises `EmbedderUnavailableError`."""

    def query(self, text: str) -> Vectors:
        """float32, shape (1, dimensions)."""
