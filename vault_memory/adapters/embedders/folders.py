"""Where a model lies on this disk. Nothing is downloaded, nothing but folders is looked at."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from vault_memory.adapters.embedders.manifest import holds_model
from vault_memory.config import environ
from vault_memory.errors import EmbedderUnavailableError

DEFAULT_OWNER = "sentence-transformers"
"""Whose model a name without an owner is, as that library has it."""


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model's folder, and the name by which it is known on every machine."""

    name: str
    folder: Path


def is_folder_spelled(model: str) -> bool:
    """Whether the text names a folder (`/x`, `~/x`, `./x`, `C:\\x`) and not a model like `owner/name`."""
    return model.startswith(("~", ".")) or os.path.isabs(model)


def full_name(model: str) -> str:
    """`owner/name`, where only the name may have been given."""
    return model if "/" in model else f"{DEFAULT_OWNER}/{model}"


def find_model(model: str) -> FoundModel:
    """The folder of a model named by folder or by name; raises `EmbedderUnavailableError`."""
    if not model.strip():
        raise EmbedderUnavailableError(
            "no model is set for the embedder",
            hint="set embedder_model, e.g. to all-MiniLM-L6-v2 or to a folder that holds a model",
        )
    if is_folder_spelled(model):
        return _at(environ.expanded(Path(model)))
    for cache in environ.model_caches():
        folder = _snapshot(cache, full_name(model))
        if folder is not None and holds_model(folder):
            return FoundModel(full_name(model), folder)
    raise EmbedderUnavailableError(
        f"the model {model!r} is not on this machine",
        hint=f"vmem embedder fetch {model}   or set embedder_model to a folder that holds it",
    )


def _at(folder: Path) -> FoundModel:
    if not folder.is_dir():
        raise EmbedderUnavailableError(
            f"there is no folder {folder}",
            hint="set embedder_model to a folder that holds a model, or to a name",
        )
    if not holds_model(folder):
        raise EmbedderUnavailableError(
            f"the folder {folder} holds no whole model",
            hint="it needs config.json or modules.json, and the weights beside it (model.safetensors)",
        )
    return FoundModel(folder.resolve().name, folder)


def _snapshot(cache: Path, name: str) -> Path | None:
    """The folder of a downloaded model, by the layout that the Hugging Face tools share."""
    store = cache / f"models--{name.replace('/', '--')}"
    try:
        commit = (store / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # not there, not text, or no name that a file can have
        return None
    folder = store / "snapshots" / commit
    return folder if commit and folder.is_dir() else None
