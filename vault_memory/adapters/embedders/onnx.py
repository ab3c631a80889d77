"""Vectors by a local ONNX model: the numbers of sentence-transformers with a tenth of what it installs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.embedders.folders import FoundModel
from vault_memory.adapters.embedders.local import EmbedderKind, LocalEmbedder
from vault_memory.adapters.embedders.onnxfolder import find_onnx, onnx_fingerprint, onnx_prompts, read_onnx
from vault_memory.adapters.embedders.onnxrun import EXTRA, OnnxSession, missing_onnx
from vault_memory.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors


class _Loaded:
    """A session as an engine."""

    def __init__(self, place: Path, threads: int) -> None:
        self._session = OnnxSession(read_onnx(place), threads=threads)
        model = self._session.model
        self._pool = _POOL[model.pooling]
        if model.has_more_layers and self._session.output != "sentence_embedding":
            raise EmbedderUnavailableError(
                f"the model in {place} has layers that its ONNX file lacks",
                hint="vmem embedder use sentence-transformers MODEL",
            )
        self.longest: int | None = model.longest
        # One text tells: graphs rarely name the width of what they give.
        self.width = int(self.encode(["a"], "", is_query=False).shape[1])

    def count(self, text: str) -> int:
        return len(self._session.ids(text).ids)

    def encode(self, pieces: list[str], prompt: str, *, is_query: bool) -> Vectors:  # noqa: ARG002  # the prompt says it
        import numpy as np

        made = [self._vector(prompt + piece) for piece in pieces]
        return np.stack(made)

    def _vector(self, text: str) -> Vectors:
        """One unit row, zeros where the model gives nothing else."""
        import numpy as np

        given = self._session.run(self._session.ids(text))
        row = given if given.ndim == 1 else self._pool(given)
        length = float(np.linalg.norm(row))
        return row / length if length > 0 else row


_POOL: dict[str, Callable[[Vectors], Vectors]] = {
    "mean": lambda tokens: tokens.mean(axis=0),
    "cls": lambda tokens: tokens[0],
    "lasttoken": lambda tokens: tokens[-1],
    "max": lambda tokens: tokens.max(axis=0),
}


def create_onnx(model: str, *, threads: int = 0) -> LocalEmbedder:
    """A model by its folder, by one of its `.onnx` files, or by name; it need not be there yet."""

    def load(found: FoundModel) -> _Loaded:
        return _Loaded(found.folder, threads)

    def width(place: Path) -> int | None:
        return read_onnx(place).width

    kind = EmbedderKind(
        name=EXTRA,
        missing=missing_onnx,
        find=find_onnx,
        fingerprint=onnx_fingerprint,
        prompts=onnx_prompts,
        width=width,
        load=load,
    )
    return LocalEmbedder(kind, model)
