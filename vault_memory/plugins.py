"""Which implementations there are, by name: the table that composition picks from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vault_memory.errors import UnknownPluginError
from vault_memory.ports import Embedder


def _none(_: str) -> Embedder:
    from vault_memory.adapters.embedders.none import create_none

    return create_none()


def _sentence_transformers(model: str) -> Embedder:
    from vault_memory.adapters.embedders.sbert import create_sentence_transformers

    return create_sentence_transformers(model)


EMBEDDERS: dict[str, Callable[[str], Embedder]] = {
    "none": _none,
    "sentence-transformers": _sentence_transformers,
}
"""Setting `embedder` → a maker that takes the setting `embedder_model`. Making one loads nothing."""


def embedder(name: str, model: str) -> Embedder:
    """The embedder of that name. Raises `UnknownPluginError`."""
    if name not in EMBEDDERS:
        raise UnknownPluginError("embedder", name, list(EMBEDDERS))
    return EMBEDDERS[name](model)


def fetch_model(name: str, report: Callable[[str], None]) -> Path:
    """Download a model by name, the one thing that ever does; the folder it now lies in.

    `report` is told about ten times how far it is.
    """
    from vault_memory.adapters.embedders.fetch import fetch

    told: set[int] = set()

    def progress(what: str, done: int, total: int) -> None:
        tenth = 10 * done // total if total else 0
        if tenth not in told:
            told.add(tenth)
            report(f"{what}: {done} of {total}")

    return fetch(name, progress)
