"""Where it is kept which memories were used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.uses import Use, UsedMemory


class Uses(Protocol):
    """What was recalled and injected; of this machine alone, and never in the vault's files.

    Nothing that is noted here may fail or slow an answer: where it can't be written, it is not."""

    def note(self, use: Use) -> None:
        """Note one answer. Never raises, and waits for no disk; what a kill takes is lost."""

    def given(self, agent: str | None, session: str) -> Mapping[str, str]:
        """The version of each memory, by its id or else its path, that a session was given last, since it
        last began (`BEGINS`)."""

    def since(self, when: datetime | None) -> Sequence[Use]:
        """The answers of that moment and later, the oldest first; all for `None`."""

    def forget(self, memories: Iterable[UsedMemory] | None = None) -> None:
        """Forget all, or all that was noted of some memories. Raises `StorageError`."""
