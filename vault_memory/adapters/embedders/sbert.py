"""Vectors by a local model of the sentence-transformers library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vault_memory.adapters.embedders.folders import FoundModel, find_model
from vault_memory.adapters.embedders.loading import EXTRA, first_line, is_installed, load, missing, quiet
from vault_memory.adapters.embedders.local import EmbedderKind, LocalEmbedder
from vault_memory.adapters.embedders.manifest import dimensions, fingerprint, own_prompts
from vault_memory.adapters.embedders.prompts import Prompts, prompts_for
from vault_memory.errors import EmbedderUnavailableError, PluginError

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

_ENDLESS = 1_000_000
"""Tokenizers give a huge number where a model takes texts of any length."""


class _Loaded:
    """The library's model as an engine."""

    def __init__(self, model: Any, folder: Path, batch: int) -> None:
        self._model = model
        self._folder = folder
        self._batch = batch

    @property
    def width(self) -> int:
        return int(self._model.get_sentence_embedding_dimension() or 0)

    @property
    def longest(self) -> int | None:
        tokenizer = getattr(self._model, "tokenizer", None)
        longest = getattr(self._model, "max_seq_length", None)
        return int(longest) if callable(tokenizer) and longest and longest <= _ENDLESS else None

    def count(self, text: str) -> int:
        with quiet():
            return len(self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def encode(self, pieces: list[str], prompt: str, *, is_query: bool) -> Vectors:
        encode = self._model.encode_query if is_query else self._model.encode_document
        try:
            with quiet():
                made: Vectors = encode(
                    pieces,
                    prompt=prompt,
                    batch_size=self._batch,
                    show_progress_bar=False,
                    normalize_embeddings=True,
                )
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise EmbedderUnavailableError(
                f"the model in {self._folder} can't read a text: {first_line(error)}",
                hint="set another embedder_model; keyword search goes on meanwhile",
            ) from error
        return made


class SentenceTransformersEmbedder(LocalEmbedder):
    """One model that the library loads."""

    def __init__(self, model: str, *, device: str | None = None, batch: int = 32, threads: int = 0) -> None:
        def engine(found: FoundModel) -> _Loaded:
            return _Loaded(load(found.folder, device=device, threads=threads), found.folder, batch)

        kind = EmbedderKind(
            name=EXTRA,
            missing=_missing,
            find=find_model,
            fingerprint=fingerprint,
            prompts=_prompts,
            width=dimensions,
            load=engine,
        )
        super().__init__(kind, model)


def _missing() -> PluginError | None:
    return None if is_installed() else missing()


def _prompts(found: FoundModel) -> Prompts:
    return prompts_for(found.name, own_prompts(found.folder))


def create_sentence_transformers(
    model: str, *, device: str | None = None, batch: int = 32, threads: int = 0
) -> SentenceTransformersEmbedder:
    """A model by name or by folder; neither need be there yet (`reason` tells). `threads` 0: as many as
    the library finds right."""
    return SentenceTransformersEmbedder(model, device=device, batch=batch, threads=threads)
