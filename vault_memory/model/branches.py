"""Commits, branches, merges and the exchange with a remote, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from vault_memory.model.namespace import VaultPath


@dataclass(frozen=True, slots=True)
class Point:
    """A commit that a revision or a date names."""

    commit: str
    """In full."""
    tree: str
    """The vault's folder in it: equal for commits that hold the same files."""
    when: datetime
    """When it was committed."""


@dataclass(frozen=True, slots=True)
class AsOf:
    """A commit as somebody looks at it: `at` is the time that it is there, for ages and ends."""

    point: Point
    at: datetime


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch and the commit that it names."""

    name: str
    """Without `refs/heads/`."""
    tip: str
    about: str = ""
    """What its maker has written of it."""
    remote: str | None = None
    """The remote that has it, where it was only fetched."""


@dataclass(frozen=True, slots=True)
class Parted:
    """What a commit has that the line it parted from has not."""

    base: str | None
    """The commit where it parted, `None` for one that has nothing in common with that line."""
    when: datetime
    """When it was committed itself."""
    paths: tuple[VaultPath, ...] = ()
    """The memories that differ from the base, in path order."""
    others: tuple[str, ...] = ()
    """What differs and is no memory, as the repository names it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A memory that both sides have changed, in words for a person."""

    path: VaultPath
    why: str
    """What each side did: "both changed the same lines"."""
    keys: tuple[str, ...] = ()
    """Keys of its front matter that both changed, each otherwise."""
    lines: bool = False
    """Whether both changed the same lines besides these keys."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two memories that both sides put under one name: the older one keeps it, the other has a new one."""

    path: VaultPath
    moved_to: VaultPath
    ours_moved: bool
    """Whether the one that moved is ours."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a merge that touched no checkout: the commit that holds it, or what kept it from one."""

    commit: str | None
    """The new commit, or the one of both that holds the other already; `None` where there are conflicts."""
    conflicts: tuple[Conflict, ...] = ()
    """What is to be decided of files of the vault that both sides have changed, in path order."""
    outside: tuple[str, ...] = ()
    """The same of the repository around the vault, by their paths there."""
    apart: tuple[Apart, ...] = ()
    """Memories that got another name, since both sides had made a file of that name."""


@dataclass(frozen=True, slots=True)
class Received:
    """What became of the vault's memories between two commits, each in path order."""

    added: tuple[VaultPath, ...] = ()
    edited: tuple[VaultPath, ...] = ()
    removed: tuple[VaultPath, ...] = ()
    renamed: tuple[tuple[VaultPath, VaultPath], ...] = ()
    """(old, new) paths; such a memory may have been edited too."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A branch of a remote, with which one of ours is exchanged."""

    remote: str
    branch: str
    """What it is called there."""

    def __str__(self) -> str:
        return f"{self.remote}/{self.branch}"


class Pushed(StrEnum):
    """What a remote said to a push."""

    TAKEN = "taken"
    NOTHING = "nothing new"
    BEHIND = "behind"
    """It has commits that were not fetched: another was faster."""
    REFUSED = "refused"
    """A hook or a rule of the remote said no."""


@dataclass(frozen=True, slots=True)
class PushReport:
    """A push and the remote's own words."""

    outcome: Pushed
    words: str = ""
