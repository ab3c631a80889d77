"""Where it is kept who has seen what of the vault."""

from __future__ import annotations

from typing import Protocol


class Looks(Protocol):
    """The token up to which each caller has seen all; of this machine alone, and never in the vault's files.

    A caller is an agent by its name, or the person as `None`."""

    def last(self, agent: str | None) -> str | None:
        """The token noted last, `None` where there is none or it can't be read."""

    def note(self, agent: str | None, token: str) -> None:
        """Note it in place of the last one. Raises `StorageError`."""
