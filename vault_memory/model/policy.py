"""Where agents may only propose: the shared folders that the setting `review` names."""

from __future__ import annotations

from collections.abc import Iterable

from vault_memory.model.caseless import caseless

ALL = "*"
"""Every shared namespace."""


def is_reviewed(path: str, folders: Iterable[str]) -> bool:
    """Whether a file of that path lies in one of the folders. A spelling that some systems take for the
    same folder counts as the same."""
    if not folders:
        return False
    alike = caseless(path)
    return any(alike.startswith(f"{caseless(folder)}/") for folder in folders)
