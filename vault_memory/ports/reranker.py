"""Reading a question and a text together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Says how well texts answer a question, with more care than can be given to every passage."""

    @property
    def id(self) -> str:
        """Name of the model; `none` for none."""

    @property
    def reason(self) -> str | None:
        """Why nothing is read once more, `None` where it is."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """0–1 each, 1 for a text that answers the question. Raises `EmbedderUnavailableError`, or
        `MissingExtraError`."""
