"""What a write did: the file as it now is, and whether its commit is made or waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from vault_memory.errors import NotCommittedError
from vault_memory.model.memory import Link
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Op

NOT_WRITTEN = "not written"
"""The reason in the outcome of a dry run."""
FOLLOWS = "its commit follows in a moment"
"""The reason where the memory is saved and searchable, and somebody has taken its commit over."""


class Wait(StrEnum):
    """What must be done before a write is answered."""

    COMMIT = "commit"
    """The memory is in git, or git has said why not."""
    SAVED = "saved"
    """Its file is on the disk and it is searchable; where nobody commits later, it is committed too."""


class OnDuplicate(StrEnum):
    """What becomes of a text that the namespace knows already."""

    KEEP = "keep"
    """Nothing is written, and the known memory is the answer."""
    REFUSE = "refuse"
    """It is an error, before anything is written."""
    NEW = "new"
    """It is written all the same, and takes no other memory's place."""


@dataclass(frozen=True, slots=True)
class Written:
    """One memory written, changed or removed.

    `commit` is the full hash, or `None` with the `reason` why the memory is saved and searchable
    and not in git. `version` is the sha256 of the file, `None` for a removed one.
    """

    op: Op
    path: VaultPath
    id: str | None
    title: str
    version: str | None
    commit: str | None
    reason: str | None = None
    known: bool = False
    """The same text was there already: nothing was written and this is where it stands."""
    nearly: bool = False
    """Of a known one: it says so in other words or marks, and a little more perhaps."""
    supersedes: tuple[str, ...] = ()
    """The paths of the memories whose place a new one takes, since it gives their fact another value."""
    notices: tuple[str, ...] = ()
    undid: str | None = None
    """For an undo: the subject of the commit that it takes back."""
    proposed: str | None = None
    """The branch where it waits for a person's review, with its commit; `None` where the vault has it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A memory that lies elsewhere now, and what became of the links that led to it or stand in it."""

    written: Written
    came_from: VaultPath
    updated: tuple[tuple[VaultPath, int], ...] = ()
    """The files in which links were changed with it, and how many."""
    broken: tuple[tuple[VaultPath, Link], ...] = ()
    """Links that no longer lead where they led, each with the file it stands in."""


def check_committed(written: Sequence[Written]) -> None:
    """Raise `NotCommittedError` if any of these is not in git."""
    for one in written:
        if one.commit is None and not one.known:
            raise NotCommittedError(one.reason or "unknown")
