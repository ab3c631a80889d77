"""Downloading a model by name: the only code that ever does, and only when a person asks."""

from __future__ import annotations

import importlib
import posixpath
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from vault_memory.adapters.embedders.folders import find_model, full_name, is_folder_spelled
from vault_memory.adapters.embedders.loading import first_line, is_installed, missing, quiet
from vault_memory.adapters.embedders.onnxfolder import GRAPHS, find_onnx
from vault_memory.adapters.embedders.onnxrun import missing_onnx
from vault_memory.config import environ
from vault_memory.errors import EmbedderUnavailableError, UsageError
from vault_memory.ports import Progress, no_progress

_NEEDED = ("*.json", "*.txt", "*.model", "*.safetensors")
_OTHER_ENGINES = frozenset({"onnx", "openvino", "coreml", "gguf"})
"""Folders with the same weights for other engines."""

_MEGABYTE = 1_000_000
_ELSEWHERE = "or copy the model's folder from another machine and set embedder_model to it"


def fetch(name: str, progress: Progress = no_progress, *, onnx: bool = False) -> Path:
    """Download the model into the cache that the Hugging Face tools share; the folder it now lies in.

    `onnx` takes it in that form. `progress` counts megabytes. Raises `MissingExtraError`, `UsageError` for
    what is no name, and `EmbedderUnavailableError` where there is no such model or no way to it.
    """
    if not name.strip() or is_folder_spelled(name):
        raise UsageError(f"{name!r} is not a model's name", hint="vmem embedder fetch all-MiniLM-L6-v2")
    lacks = missing_onnx("an ONNX model") if onnx else None if is_installed() else missing()
    if lacks is not None:
        raise lacks
    with quiet():
        hub = importlib.import_module("huggingface_hub")
        errors = importlib.import_module("huggingface_hub.errors")
        _download(hub, errors, full_name(name), progress, onnx=onnx)
    return (find_onnx if onnx else find_model)(name).folder


def _download(hub: Any, errors: Any, repository: str, progress: Progress, *, onnx: bool) -> None:
    web = importlib.import_module("huggingface_hub.utils").httpx
    try:
        files = [one.rfilename for one in hub.HfApi().model_info(repository).siblings]
        hub.snapshot_download(
            repository,
            cache_dir=environ.model_caches()[0],
            allow_patterns=wanted_onnx(files) if onnx else wanted(files),
            tqdm_class=_bar_class(progress),
        )
    except errors.HFValidationError as error:
        raise UsageError(
            f"{repository!r} is not a model's name", hint="vmem embedder fetch all-MiniLM-L6-v2"
        ) from error
    except errors.GatedRepoError as error:
        raise EmbedderUnavailableError(
            f"{repository} is only given to people who accepted its terms",
            hint="accept them on huggingface.co and sign in with: hf auth login",
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise EmbedderUnavailableError(
            f"huggingface.co has no public model {repository}",
            hint="look for its name on huggingface.co/models",
        ) from error
    except (web.HTTPError, OSError) as error:
        raise EmbedderUnavailableError(
            f"{repository} could not be downloaded: {_cause(error)}",
            hint=f"look at the connection and try again, {_ELSEWHERE}",
        ) from error


def wanted(files: Sequence[str]) -> list[str]:
    """The files that a model needs: settings, words, and each part's weights in one form only."""
    safe = {posixpath.dirname(file) for file in files if file.endswith(".safetensors")}
    return [file for file in files if file.split("/")[0] not in _OTHER_ENGINES and _is_needed(file, safe)]


def wanted_onnx(files: Sequence[str]) -> list[str]:
    """The whole graph with its weights, and the small files of the model."""
    graph = next((name for name in GRAPHS if name in files), "")
    small = [file for file in wanted(files) if not file.endswith((".safetensors", ".bin"))]
    return [*small, *(file for file in files if graph and file.startswith(graph))]


def _is_needed(file: str, safe: set[str]) -> bool:
    folder, name = posixpath.split(file)
    if fnmatchcase(name, "pytorch_model*.bin"):
        return folder not in safe
    return any(fnmatchcase(name, pattern) for pattern in _NEEDED)


def _cause(error: BaseException) -> str:
    """The words of the error at the bottom: what the network or the disk said."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    return first_line(error)


def _bar_class(progress: Progress) -> Any:
    """The library's progress bar, drawn nowhere: it tells `progress` the megabytes instead."""
    base = importlib.import_module("huggingface_hub.utils").tqdm

    class Told(base):  # type: ignore[misc,valid-type]  # the base is only known at run time
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            # Of the two bars in bytes, the other one counts what came over the wire (compressed).
            self._counts_bytes = kwargs.get("unit") == "B" and not str(kwargs.get("name")).endswith(
                "transfer"
            )
            super().__init__(*args, **{**kwargs, "disable": True})
            self.total = kwargs.get("total") or 0
            self._told = -1

        def update(self, n: float | None = 1) -> None:
            self.n += n or 0
            if self._counts_bytes and self.n // _MEGABYTE != self._told:
                self._told = self.n // _MEGABYTE
                progress("MB downloaded", int(self._told), int(max(self.total, self.n) // _MEGABYTE))

    return Told
