"""What taking back older commits does to each file, or why it does nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Revision


class Became(StrEnum):
    """What becomes of a memory when commits are taken back."""

    REMOVED = "removed"
    RESTORED = "restored"
    CHANGED = "changed"
    MOVED = "moved"
    """It lies where it lay before, and may be changed too."""
    LEFT = "left"
    """It stays as it is."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """One memory. `kept` says why not all that was to be taken back is, `None` where it is."""

    became: Became
    path: VaultPath
    came_from: VaultPath | None
    """Where it lay until then, for one that moves."""
    id: str | None
    title: str
    kept: str | None = None


@dataclass(frozen=True, slots=True)
class Reverted:
    """Commits that were taken back (the newest first), and the memories that this is about, in path order.

    `commit` is the full hash, `None` where nothing changed, nothing was to (`dry_run`), or, with the
    `reason`, where what was written is not committed.
    """

    revisions: tuple[Revision, ...]
    files: tuple[TakenBack, ...]
    dry_run: bool
    commit: str | None = None
    reason: str | None = None
    notices: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[TakenBack, ...]:
        """Those that it changes."""
        return tuple(one for one in self.files if one.became is not Became.LEFT)

    @property
    def kept(self) -> tuple[TakenBack, ...]:
        """Those of which something stays that was to be taken back."""
        return tuple(one for one in self.files if one.kept is not None)
