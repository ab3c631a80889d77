"""The models on this machine that were downloaded, by the provider that can run them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vault_memory.adapters.embedders.folders import snapshot
from vault_memory.adapters.embedders.manifest import holds_model
from vault_memory.adapters.embedders.onnxfolder import holds_onnx
from vault_memory.config import environ


@dataclass(frozen=True, slots=True)
class ModelHere:
    """A downloaded model. It may be one for something else than vectors: only loading tells."""

    provider: str
    name: str
    folder: Path


def models_here() -> Iterator[ModelHere]:
    """In the order of their names; looks at the names of files alone."""
    found: dict[str, Path] = {}
    for cache in environ.model_caches():
        try:
            names = os.listdir(cache)
        except OSError:  # nothing was ever downloaded
            continue
        for store in names:
            name = store.removeprefix("models--").replace("--", "/")
            folder = snapshot(cache, name) if store.startswith("models--") else None
            if folder is not None:
                found.setdefault(name, folder)
    for name, folder in sorted(found.items()):
        if holds_onnx(folder):
            yield ModelHere("onnx", name, folder)
        if holds_model(folder):
            yield ModelHere("sentence-transformers", name, folder)
