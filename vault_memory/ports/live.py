"""What a long-lived process has beside a short one: a watch over the files, and commits that come later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.namespace import VaultPath
    from vault_memory.model.revision import CommitReport


@dataclass(frozen=True, slots=True)
class Hints:
    """What may have changed since the last look: a reason to look again, never the change itself."""

    paths: frozenset[VaultPath] = frozenset()
    """Files that may be new, changed or gone."""
    arrived: frozenset[VaultPath] = frozenset()
    """Those of them that took their names as finished files and were not written to since: where such a
    one's stamp is known, so are its bytes."""
    everything: str | None = None
    """Why only a comparison of all files will do, `None` where the paths are enough."""

    def __bool__(self) -> bool:
        return bool(self.paths or self.everything)


class Watch(Protocol):
    """Hears of changes below the vault's root. Never writes, and never reads a memory."""

    def start(self, heard: Callable[[], None]) -> None:
        """Begin; `heard` is called, from another thread, each time that something may have changed."""

    def take(self) -> Hints:
        """What has been heard since the last time."""

    def state(self) -> tuple[int, str | None]:
        """(folders watched, why the vault is polled instead; `None` where the kernel tells)."""

    def close(self) -> None:
        """Stop; twice is no fault."""


class Commits(Protocol):
    """Takes over open intents whose files are written, and commits them a little later."""

    def later(self, numbers: Sequence[int]) -> None:
        """These are to be committed soon; returns at once."""

    def now(self, numbers: Sequence[int]) -> CommitReport:
        """Commit these, and what waits with them, before returning; what became of them."""
