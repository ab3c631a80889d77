"""Which implementations there are, by name: the table that composition picks from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.errors import PluginError, UnknownPluginError

if TYPE_CHECKING:
    from vault_memory.adapters.embedders.here import ModelHere
    from vault_memory.ports import Embedder, Reranker, Scanner


def _none(_: str, __: int) -> Embedder:
    from vault_memory.adapters.embedders.none import create_none

    return create_none()


def _bundled(_: str, __: int) -> Embedder:
    from vault_memory.adapters.embedders.bundled.embedder import create_bundled

    return create_bundled()


def _onnx(model: str, threads: int) -> Embedder:
    from vault_memory.adapters.embedders.onnx import create_onnx

    return create_onnx(model, threads=threads)


def _sentence_transformers(model: str, threads: int) -> Embedder:
    from vault_memory.adapters.embedders.sbert import create_sentence_transformers

    return create_sentence_transformers(model, threads=threads)


EMBEDDERS: dict[str, Callable[[str, int], Embedder]] = {
    "bundled": _bundled,
    "none": _none,
    "onnx": _onnx,
    "sentence-transformers": _sentence_transformers,
}
"""Setting `embedder` → a maker that takes `embedder_model` and `model_threads`. Making one loads nothing."""


def embedder(name: str, model: str, threads: int = 0) -> Embedder:
    """The embedder of that name. Raises `UnknownPluginError`."""
    if name not in EMBEDDERS:
        raise UnknownPluginError("embedder", name, list(EMBEDDERS))
    return EMBEDDERS[name](model, threads)


def _no_reranker(_: str, __: int) -> Reranker:
    from vault_memory.adapters.embedders.none import NoReranker

    return NoReranker()


def _onnx_reranker(model: str, threads: int) -> Reranker:
    from vault_memory.adapters.embedders.rerank import create_onnx_reranker

    return create_onnx_reranker(model, threads=threads)


def _sentence_transformers_reranker(model: str, threads: int) -> Reranker:
    from vault_memory.adapters.embedders.rerank import create_library_reranker

    return create_library_reranker(model, threads=threads)


RERANKERS: dict[str, Callable[[str, int], Reranker]] = {
    "none": _no_reranker,
    "onnx": _onnx_reranker,
    "sentence-transformers": _sentence_transformers_reranker,
}
"""Setting `reranker` → a maker that takes `reranker_model` and `model_threads`. Making one loads nothing."""


def reranker(name: str, model: str, threads: int = 0) -> Reranker:
    """The reranker of that name. Raises `UnknownPluginError`."""
    if name not in RERANKERS:
        raise UnknownPluginError("reranker", name, list(RERANKERS))
    return RERANKERS[name](model, threads)


def _onnx_lacks() -> PluginError | None:
    from vault_memory.adapters.embedders.onnxrun import missing_onnx

    return missing_onnx()


def _sentence_transformers_lacks() -> PluginError | None:
    from vault_memory.adapters.embedders.loading import is_installed, missing

    return None if is_installed() else missing()


_LACKS: dict[str, Callable[[], PluginError | None]] = {
    "onnx": _onnx_lacks,
    "sentence-transformers": _sentence_transformers_lacks,
}
"""Setting `embedder` → what keeps it from being used on this machine, whatever its model."""


def lacks(name: str) -> PluginError | None:
    """What has to be installed for an embedder, `None` where nothing has; imports nothing."""
    return _LACKS[name]() if name in _LACKS else None


def models_here() -> list[ModelHere]:
    """The downloaded models, by name; looks at names of files alone."""
    from vault_memory.adapters.embedders.here import models_here as found

    return list(found())


def _table(allowed: Sequence[str]) -> Scanner:
    from vault_memory.adapters.scanners import SecretTable

    return SecretTable(allowed)


def _no_rules(_: Sequence[str]) -> Scanner:
    from vault_memory.adapters.scanners import NoRules

    return NoRules()


SCANNERS: dict[str, Callable[[Sequence[str]], Scanner]] = {"table": _table, "none": _no_rules}
"""Setting `secret_scanner` → a maker that takes the setting `allow_secrets`."""


def scanner(name: str, allowed: Sequence[str] = ()) -> Scanner:
    """The scanner of that name. Raises `UnknownPluginError`."""
    if name not in SCANNERS:
        raise UnknownPluginError("secret_scanner", name, list(SCANNERS))
    return SCANNERS[name](allowed)


def without_secrets(text: str) -> str:
    """The text with what looks like a secret masked: a message may repeat what a caller typed."""
    return scanner("table").mask(text)


def fetch_model(name: str, report: Callable[[str], None], *, onnx: bool = False) -> Path:
    """Download a model by name (`onnx`: that form of it), the one thing that ever does; its folder.

    `report` is told about ten times how far it is.
    """
    from vault_memory.adapters.embedders.fetch import fetch

    told: set[int] = set()

    def progress(what: str, done: int, total: int) -> None:
        tenth = 10 * done // total if total else 0
        if tenth not in told:
            told.add(tenth)
            report(f"{what}: {done} of {total}")

    return fetch(name, progress, onnx=onnx)
