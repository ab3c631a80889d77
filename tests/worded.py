"""An embedder made of nothing but words, in place of a model: of any length, and able to fail or stall."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from vault_memory.errors import EmbedderUnavailableError
from vault_memory.model.terms import cut

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

SAME = {"ill": "sick", "cat": "kitten", "medicine": "drops"}
"""Words that mean the same to it."""


class Worded:
    """A text's vector is the sum of its words' own; `before` is called with each batch of texts."""

    trust = 0.5
    span = (0.1, 0.9)

    def __init__(
        self,
        name: str,
        dimensions: int,
        *,
        gone: str | None = None,
        before: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self.id = f"worded:{name}"
        self.dimensions = 0 if gone else dimensions
        self.reason = f"{gone}; copy it again" if gone else None
        self._gone = gone
        self._before = before
        self.made: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self._gone:
            raise EmbedderUnavailableError(self._gone, hint="copy it again")
        if self._before is not None:
            self._before(texts)
        self.made += texts
        return self._vectors(texts)

    def query(self, text: str) -> Vectors:
        return self._vectors([text])

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for at, text in enumerate(texts):
            for word in cut(text):
                seed = hashlib.sha256(SAME.get(word, word).encode()).digest()[:4]
                rows[at] += np.random.default_rng(int.from_bytes(seed, "big")).normal(size=self.dimensions)
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, length, out=rows, where=length > 0)
        return rows
