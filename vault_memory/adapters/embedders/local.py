"""Vectors by a model on this disk, whichever engine runs it: loaded when the first text comes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from vault_memory.adapters.embedders import calibration
from vault_memory.adapters.embedders.folders import FoundModel
from vault_memory.adapters.embedders.ondisk import Kind, ModelOnDisk
from vault_memory.adapters.embedders.prompts import Prompts
from vault_memory.adapters.embedders.windows import windows
from vault_memory.errors import EmbedderUnavailableError, PluginError
from vault_memory.model.halves import without_halves

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

_SCHEME = "1"
"""Raise it when windows or prompts are made otherwise: vectors made before can't be compared then."""

_LEAST_ROOM = 16


class Engine(Protocol):
    """A model that is loaded. Used by one thread at a time."""

    @property
    def width(self) -> int:
        """How long its vectors are."""

    @property
    def longest(self) -> int | None:
        """How many tokens it takes at once, those around a text included; `None` where all are taken."""

    def count(self, text: str) -> int:
        """How many tokens the text is, those around it included."""

    def encode(self, pieces: list[str], prompt: str, *, is_query: bool) -> Vectors:
        """One row a piece with the prompt before it. Raises `EmbedderUnavailableError`."""


@dataclass(frozen=True, slots=True)
class EmbedderKind(Kind[Engine]):
    """What one sort of embedding model has beside that."""

    fingerprint: Callable[[Path], str]
    """Hex digits that differ between models and are the same on every machine."""
    prompts: Callable[[FoundModel], Prompts]
    width: Callable[[Path], int | None]
    """How long the vectors are, where small files tell."""


class LocalEmbedder(ModelOnDisk[Engine]):
    """One model that embeds; `id` reads small files too, and imports nothing heavy."""

    trust = 0.5
    _kind: EmbedderKind

    def __init__(self, kind: EmbedderKind, model: str) -> None:
        super().__init__(kind, model)

    @cached_property
    def id(self) -> str:
        """`KIND:NAME@HASH`; without a hash where the model is not on this machine."""
        if isinstance(self._found, PluginError):
            return f"{self._kind.name}:{self._asked}"
        prompts = self._prompts
        own = self._kind.fingerprint(self._found.folder)
        facts = f"{_SCHEME}\0{prompts.query}\0{prompts.passage}\0{own}"
        return f"{self._kind.name}:{self._found.name}@{hashlib.sha256(facts.encode()).hexdigest()[:12]}"

    @cached_property
    def dimensions(self) -> int:
        """From the model's small files where they tell, else from the model; 0 where there is no model."""
        if self.reason is not None:
            return 0
        return self._kind.width(self._here().folder) or self._loaded().width

    @cached_property
    def span(self) -> tuple[float, float]:
        """Measured once with a dozen sentences, since every model has its own scale; never raises."""
        try:
            queries = self._embed([query for query, _ in calibration.PAIRS], is_query=True)
            passages = self._embed([passage for _, passage in calibration.PAIRS], is_query=False)
        except PluginError:
            return calibration.UNCALIBRATED
        return calibration.measure(queries, passages)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit rows, zeros for a text without words; the same batch gives the same bytes again.

        Raises `EmbedderUnavailableError`, or `MissingExtraError` where the library is not installed.
        """
        return self._embed(texts, is_query=False)

    def query(self, text: str) -> Vectors:
        """One row, made with the words that the model wants before a query; raises as `passages` does."""
        return self._embed([text], is_query=True)

    @cached_property
    def _prompts(self) -> Prompts:
        return self._kind.prompts(self._here())

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        import numpy as np

        self._here()
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        with self._lock:
            prompt = self._prompts.query if is_query else self._prompts.passage
            cut = self._cut(texts, prompt)
            made = self._encode([piece for pieces in cut for piece in pieces], prompt, is_query=is_query)
        start = 0
        for row, pieces in zip(rows, cut, strict=True):
            if pieces:
                row[:] = made[start : start + len(pieces)].mean(axis=0)
            start += len(pieces)
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, length, out=rows, where=length > 0)
        return rows

    def _cut(self, texts: Sequence[str], prompt: str) -> list[list[str]]:
        """Each text as the pieces that fit into the model; no piece for a text without words."""
        # Half a surrogate pair (from a command line that is not UTF-8) would stop the tokenizer.
        clean = [without_halves(text).strip() for text in texts]
        if not any(clean):
            return [[] for _ in clean]
        engine = self._loaded()
        if engine.longest is None:
            return [[text] if text else [] for text in clean]
        frame, room = engine.count(""), max(_LEAST_ROOM, engine.longest - engine.count(prompt))
        return [windows(text, room, lambda piece: engine.count(piece) - frame) for text in clean]

    def _encode(self, pieces: list[str], prompt: str, *, is_query: bool) -> Vectors:
        """One unit row a piece, from the engine."""
        import numpy as np

        if not pieces:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        made = self._loaded().encode(pieces, prompt, is_query=is_query)
        if made.shape != (len(pieces), self.dimensions) or not np.isfinite(made).all():
            raise EmbedderUnavailableError(
                f"the model {self._asked!r} gives no usable vectors"
                f" (shape {made.shape}, wanted {self.dimensions} columns)",
                hint="set another embedder_model; keyword search goes on meanwhile",
            )
        return made
