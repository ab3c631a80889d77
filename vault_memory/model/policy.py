"""Where agents may only propose: the shared folders that the setting `review` names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

ALL = "*"
"""Every shared namespace."""


def is_reviewed(path: str, folders: Iterable[str]) -> bool:
    """Whether a file of that path lies in one of the folders. A spelling that some systems take for the
    same folder counts as the same."""
    if not folders:
        return False
    alike = _alike(path)
    return any(alike.startswith(f"{_alike(folder)}/") for folder in folders)


def _alike(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
