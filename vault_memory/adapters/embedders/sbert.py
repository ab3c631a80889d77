"""Vectors by a local model of the sentence-transformers library, loaded when the first text comes."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vault_memory.adapters.embedders import calibration
from vault_memory.adapters.embedders.folders import FoundModel, find_model
from vault_memory.adapters.embedders.loading import EXTRA, first_line, is_installed, load, missing, quiet
from vault_memory.adapters.embedders.manifest import dimensions, fingerprint, own_prompts
from vault_memory.adapters.embedders.prompts import Prompts, prompts_for
from vault_memory.adapters.embedders.windows import windows
from vault_memory.errors import EmbedderUnavailableError, PluginError

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors

_SCHEME = "1"
"""Raise it when windows or prompts are made otherwise: vectors made before can't be compared then."""

_LEAST_ROOM = 16
_ENDLESS = 1_000_000
"""Tokenizers give a huge number where a model takes texts of any length."""


class SentenceTransformersEmbedder:
    """One model. Making it costs nothing; `id` and `reason` read small files and import nothing heavy."""

    trust = 0.6

    def __init__(self, model: str, *, device: str | None = None, batch: int = 32) -> None:
        self._asked = model
        self._device = device
        self._batch = batch
        # A tokenizer can't be used by two threads at once, so one text or batch is embedded at a time.
        self._lock = threading.RLock()
        self._model: Any = None
        self._failure: PluginError | None = None

    @property
    def reason(self) -> str | None:
        """Why there are no vectors: no package, no model, or a model that did not load."""
        found = self._failure or self._found
        return found.message if isinstance(found, PluginError) else None

    @cached_property
    def id(self) -> str:
        """`sentence-transformers:NAME@HASH`; without a hash where the model is not on this machine."""
        if isinstance(self._found, PluginError):
            return f"{EXTRA}:{self._asked}"
        prompts = self._prompts
        facts = "\0".join((_SCHEME, prompts.query, prompts.passage, fingerprint(self._found.folder)))
        return f"{EXTRA}:{self._found.name}@{hashlib.sha256(facts.encode()).hexdigest()[:12]}"

    @cached_property
    def dimensions(self) -> int:
        """From the model's small files where they tell, else from the model; 0 where there is no model."""
        if self.reason is not None:
            return 0
        return dimensions(self._here().folder) or int(self._loaded().get_sentence_embedding_dimension() or 0)

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

    def query(self, text: str, weights: Mapping[str, float] | None = None) -> Vectors:  # noqa: ARG002  # the port's
        """One row, made with the words that the model wants before a query; raises as `passages` does."""
        return self._embed([text], is_query=True)

    @cached_property
    def _found(self) -> FoundModel | PluginError:
        if not is_installed():
            return missing()
        try:
            return find_model(self._asked)
        except EmbedderUnavailableError as error:
            return error

    def _here(self) -> FoundModel:
        found = self._failure or self._found
        if isinstance(found, PluginError):
            raise found
        return found

    @cached_property
    def _prompts(self) -> Prompts:
        found = self._here()
        return prompts_for(found.name, own_prompts(found.folder))

    def _loaded(self) -> Any:
        """The library's model, loaded once; a failure to load is kept, so that it is not tried each time."""
        with self._lock:
            if self._model is None:
                found = self._here()
                try:
                    self._model = load(found.folder, device=self._device)
                except PluginError as error:
                    self._failure = error
                    raise
            return self._model

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        import numpy as np

        self._here()
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        with self._lock, quiet():
            cut = self._cut(texts, self._prompts.query if is_query else self._prompts.passage)
            made = self._encode([piece for pieces in cut for piece in pieces], is_query=is_query)
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
        clean = [text.encode("utf-8", "replace").decode().strip() for text in texts]
        if not any(clean):
            return [[] for _ in clean]
        model = self._loaded()
        tokenizer, longest = getattr(model, "tokenizer", None), getattr(model, "max_seq_length", None)
        if not callable(tokenizer) or not longest or longest > _ENDLESS:
            return [[text] if text else [] for text in clean]

        def count(text: str) -> int:
            return len(tokenizer(text, truncation=False, verbose=False)["input_ids"])

        frame, room = count(""), max(_LEAST_ROOM, longest - count(prompt))
        return [windows(text, room, lambda piece: count(piece) - frame) for text in clean]

    def _encode(self, pieces: list[str], *, is_query: bool) -> Vectors:
        """One unit row a piece, from the library."""
        import numpy as np

        if not pieces:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        model = self._loaded()
        encode = model.encode_query if is_query else model.encode_document
        try:
            made: Vectors = encode(
                pieces,
                prompt=self._prompts.query if is_query else self._prompts.passage,
                batch_size=self._batch,
                show_progress_bar=False,
                normalize_embeddings=True,
            )
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            raise self._unusable(f"can't read a text: {first_line(error)}") from error
        if made.shape != (len(pieces), self.dimensions) or not np.isfinite(made).all():
            raise self._unusable(
                f"gives no usable vectors (shape {made.shape}, wanted {self.dimensions} columns)"
            )
        return made

    def _unusable(self, what: str) -> EmbedderUnavailableError:
        return EmbedderUnavailableError(
            f"the model {self._asked!r} {what}",
            hint="set another embedder_model; keyword search goes on meanwhile",
        )


def create_sentence_transformers(
    model: str, *, device: str | None = None, batch: int = 32
) -> SentenceTransformersEmbedder:
    """A model by name or by folder; neither need be there yet (`reason` tells)."""
    return SentenceTransformersEmbedder(model, device=device, batch=batch)
