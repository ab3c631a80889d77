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
class Branch:
    """A local branch and the commit that it names."""

    name: str
    """Without `refs/heads/`."""
    tip: str


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a merge that touched no checkout: the commit that holds it, or what kept it from one."""

    commit: str | None
    """The new commit, or the one of both that holds the other already; `None` where there are conflicts."""
    conflicts: tuple[VaultPath, ...] = ()
    """Files of the vault that both sides have changed, in path order."""
    outside: tuple[str, ...] = ()
    """The same of the repository around the vault, by their paths there."""
    content: tuple[tuple[VaultPath, bytes], ...] = ()
    """The files in conflict as they would lie in the checkout, markers included."""


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
