"""What an exchange with a remote did, and what keeps it from being whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from vault_memory.errors import VmemError
from vault_memory.model.branches import Apart, Conflict, Followed, Received
from vault_memory.model.namespace import VaultPath


class Way(StrEnum):
    """How two lines that have parted become one."""

    MERGE = "merge"
    """By a commit that holds both."""
    REBASE = "rebase"
    """By putting ours on top of theirs."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """A memory that both sides have changed, for a person to decide."""

    title: str
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class Synced:
    """What came of it. Nothing is ever half done: where it stopped, all that is told here holds."""

    branch: str
    followed: Followed
    head: str | None
    """Our last commit now."""
    received: Received = field(default_factory=Received)
    commits_received: int = 0
    commits_sent: int = 0
    commits_unsent: int = 0
    """What is here and not there: it was not to be sent, or could not be."""
    way: Way | None = None
    """How two lines became one; `None` where one of them only went on."""
    follows_now: bool = False
    """Whether the branch followed nothing before."""
    apart: tuple[Apart, ...] = ()
    """Memories with another name now, since both sides had put one under it."""
    same_id: tuple[tuple[VaultPath, VaultPath], ...] = ()
    """Memories that came, each with another one of the same id."""
    conflicts: tuple[Disputed, ...] = ()
    """Memories that both sides have changed; nothing was merged then."""
    conflicts_outside: tuple[str, ...] = ()
    """The same of files that are no memories of this vault, by the repository's names for them."""
    waiting: int = 0
    """Memories that wait for their commit, and so were not sent."""
    uncommitted: int = 0
    """Files that the person has changed and not committed, which so were not sent."""
    error: VmemError | None = None
    """Why it is not whole, with the next step; `None` where it is."""
