"""Reading a question and a text together by a cross-encoder on this disk, whichever engine runs it."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from vault_memory.adapters.embedders.folders import FoundModel, Sought, find_model
from vault_memory.adapters.embedders.loading import (
    EXTRA,
    first_line,
    is_installed,
    load_reranker,
    missing,
    quiet,
)
from vault_memory.adapters.embedders.ondisk import Kind, ModelOnDisk
from vault_memory.adapters.embedders.onnxfolder import WANTS, holds_onnx, read_onnx
from vault_memory.adapters.embedders.onnxrun import OnnxSession, missing_onnx
from vault_memory.errors import EmbedderUnavailableError, PluginError
from vault_memory.model.halves import without_halves

_SETTING = "reranker_model"
_HINT = f"set another {_SETTING}, or reranker to none"


class PairEngine(Protocol):
    """A cross-encoder that is loaded. Used by one thread at a time."""

    def logits(self, query: str, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One row a text, of one number or of two (for no and yes)."""


class LocalReranker(ModelOnDisk[PairEngine]):
    """One cross-encoder."""

    @cached_property
    def id(self) -> str:
        """`KIND:NAME`."""
        name = self._asked if isinstance(self._found, PluginError) else self._found.name
        return f"{self._kind.name}:{name}"

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """0–1 each; raises `EmbedderUnavailableError`, or `MissingExtraError`."""
        if not texts:
            return []
        clean = [without_halves(text) for text in (query, *texts)]
        with self._lock:
            engine = self._loaded()
            return [self._probability(row) for row in engine.logits(clean[0], clean[1:])]

    def _probability(self, row: Sequence[float]) -> float:
        """That the answer is yes."""
        if len(row) not in {1, 2} or not all(map(math.isfinite, row)):
            self._failure = EmbedderUnavailableError(
                f"the model {self._asked!r} gives {len(row)} numbers a text, so it is no reranker", hint=_HINT
            )
            raise self._failure
        yes = row[0] if len(row) == 1 else row[1] - row[0]
        return 1 / (1 + math.exp(-max(min(yes, 60.0), -60.0)))


class _OnnxPairs:
    """A session that reads pairs."""

    def __init__(self, found: FoundModel, threads: int) -> None:
        self._session = OnnxSession(read_onnx(found.folder), threads=threads, cuts=True)

    def logits(self, query: str, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        rows = [self._session.run(self._session.ids(query, text)) for text in texts]
        return [row.ravel().tolist() for row in rows]


class _LibraryPairs:
    """The library's cross-encoder."""

    def __init__(self, found: FoundModel, threads: int) -> None:
        self._folder = found.folder
        self._model = load_reranker(found.folder, device=None, threads=threads)

    def logits(self, query: str, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        as_they_are = sys.modules["torch"].nn.Identity()
        try:
            with quiet():
                made: Any = self._model.predict(
                    [(query, text) for text in texts], activation_fn=as_they_are, show_progress_bar=False
                )
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise EmbedderUnavailableError(
                f"the model in {self._folder} can't read a text: {first_line(error)}", hint=_HINT
            ) from error
        rows: Sequence[Sequence[float]] = made.reshape(len(texts), -1).tolist()
        return rows


def create_onnx_reranker(model: str, *, threads: int = 0) -> LocalReranker:
    """A cross-encoder as an ONNX model, by folder, file or name; it need not be there yet."""
    sought = Sought(holds_onnx, WANTS, "vmem embedder fetch --onnx", _SETTING)
    kind: Kind[PairEngine] = Kind(
        name="onnx",
        missing=lambda: missing_onnx("an ONNX reranker"),
        find=lambda named: find_model(named, sought),
        load=lambda found: _OnnxPairs(found, threads),
    )
    return LocalReranker(kind, model)


def create_library_reranker(model: str, *, threads: int = 0) -> LocalReranker:
    """A cross-encoder of the sentence-transformers library, by folder or name."""
    kind: Kind[PairEngine] = Kind(
        name=EXTRA,
        missing=lambda: None if is_installed() else missing(),
        find=lambda named: find_model(named, Sought(setting=_SETTING)),
        load=lambda found: _LibraryPairs(found, threads),
    )
    return LocalReranker(kind, model)
