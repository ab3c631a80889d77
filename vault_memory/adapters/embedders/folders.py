"""Where a model lies on this disk. Nothing is downloaded, nothing but folders is looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
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


@dataclass(frozen=True, slots=True)
class Sought:
    """What a model must have to be one, and how to speak of it where it has not."""

    holds: Callable[[Path], bool] = holds_model
    wants: str = "config.json or modules.json, and the weights beside it (model.safetensors)"
    fetch: str = "vmem embedder fetch"
    setting: str = "embedder_model"

    @property
    def user(self) -> str:
        """What the model is for."""
        return self.setting.removesuffix("_model")


ANY = Sought()


def find_model(model: str, sought: Sought = ANY) -> FoundModel:
    """The folder of a model named by folder or by name; raises `EmbedderUnavailableError`."""
    if not model.strip():
        raise EmbedderUnavailableError(
            f"no model is set for the {sought.user}",
            hint=f"set {sought.setting} to a model's name or to a folder that holds one",
        )
    if is_folder_spelled(model):
        return _at(environ.expanded(Path(model)), sought)
    for cache in environ.model_caches():
        folder = snapshot(cache, full_name(model))
        if folder is not None and sought.holds(folder):
            return FoundModel(full_name(model), folder)
    raise EmbedderUnavailableError(
        f"the model {model!r} is not on this machine",
        hint=f"{sought.fetch} {model}   or set {sought.setting} to a folder that holds it",
    )


def _at(place: Path, sought: Sought) -> FoundModel:
    if not os.path.exists(place):
        raise EmbedderUnavailableError(
            f"there is no folder {place}",
            hint=f"set {sought.setting} to a folder that holds a model, or to a name",
        )
    if not sought.holds(place):
        raise EmbedderUnavailableError(f"{place} holds no whole model", hint=f"it needs {sought.wants}")
    return FoundModel("-".join(_named(place.resolve()).split()), place)


def _named(place: Path) -> str:
    """The folder's own name; of one file of it, or of its part for one engine, that of the whole."""
    folder = place.parent if place.is_file() else place
    return folder.parent.name if folder.name == "onnx" else folder.name


def snapshot(cache: Path, name: str) -> Path | None:
    """The folder of a downloaded model, by the layout that the Hugging Face tools share."""
    store = cache / f"models--{name.replace('/', '--')}"
    try:
        commit = (store / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):  # not there, not text, or no name that a file can have
        return None
    folder = store / "snapshots" / commit
    return folder if commit and folder.is_dir() else None
