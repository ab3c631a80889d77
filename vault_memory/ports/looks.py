"""Where it is kept who has seen what of the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.looked import Looked


class Looks(Protocol):
    """Up to where each caller has seen all; of this machine alone, and never in the vault's files.

    A caller is an agent by its name, or the person as `None`."""

    def of(self, agent: str | None) -> Looked:
        """What was noted last; nothing where there is none or it can't be read."""

    def note(self, agent: str | None, looked: Looked) -> None:
        """Note it in place of that. Raises `StorageError`."""
