"""Which implementations there are, by name: the table that composition picks from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from vault_memory.errors import UnknownPluginError
from vault_memory.ports import Embedder, Scanner


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
