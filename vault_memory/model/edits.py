"""What became of a person's edits that were to be committed for them."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.change import Touch
from vault_memory.model.namespace import VaultPath


@dataclass(frozen=True, slots=True)
class Kept:
    """One commit of a person's edits, or why there is none."""

    commit: str | None = None
    files: tuple[tuple[Touch, VaultPath], ...] = ()
    """What is in the commit."""
    left: tuple[tuple[VaultPath, str], ...] = ()
    """Files that were left uncommitted, each with the reason."""
    reason: str | None = None
    """Why nothing can be committed now, whatever there is; `None` where it can."""
