"""Commits by name, merges, private worktrees and the remote: git beyond the commits of memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.branches import Branch, Merged, Point, PushReport
    from vault_memory.model.revision import Author


class Points(Protocol):
    """Finds commits. Raises `RevisionNotFoundError` for none, `GitError` where git can't tell."""

    def resolve(self, revision: str) -> Point:
        """The commit that a revision names: a hash, branch, tag, `HEAD~3`."""

    def at(self, moment: datetime, *, start: str = "HEAD") -> Point:
        """The last commit on the first-parent line from `start` that is not later than the moment."""

    def line(self, start: str, *, after: str | None = None) -> list[Point]:
        """The first-parent line from `start`, newest first, down to the commit `after` (left out)."""


class Merges(Protocol):
    """Merging without a checkout, and bringing the checkout forward. Raises `GitError`."""

    def base(self, one: str, other: str) -> str | None:
        """The commit where two lines parted, `None` for lines that have nothing in common."""

    def merged(self, ours: str, theirs: str, *, message: str, author: Author | None = None) -> Merged:
        """A merge commit of both (`ours` first), memories by key; no ref, index or file is touched.
        `author=None` is the person."""

    def forward(self, commit: str) -> None:
        """Bring the branch that HEAD names and the checkout to that commit, which must descend from it.

        Nothing that is staged, changed or untracked is overwritten: then `ConflictError`, and all is as
        it was."""


class Worktrees(Protocol):
    """Private worktrees: branches that are worked on beside the person's checkout. Raises `GitError`."""

    def branches(self, prefix: str) -> Sequence[Branch]:
        """The local branches whose names begin so, by name."""

    def open(self, branch: str, folder: Path, *, start: str) -> Path:
        """The vault's folder in the worktree of a branch at `folder`; both are made where they are missing,
        the branch at the commit `start`."""

    def drop(self, branch: str, folder: Path, *, tip: str) -> None:
        """Remove the worktree and the branch, if that still names `tip`; its commits stay until git
        collects them. Raises `ConflictError` where it names another commit by now."""


class Remote(Protocol):
    """The repository that a branch is exchanged with. Never prompts. Raises `GitError`."""

    def url(self, name: str) -> str | None:
        """Where a remote lies, without a password in it; `None` for none of that name."""

    def names(self) -> Sequence[str]:
        """The remotes that the repository knows."""

    def fetch(self, name: str) -> None:
        """Bring its branches here. Raises `RemoteError` where it can't be reached or says no."""

    def push(self, name: str, branch: str, *, to: str | None = None) -> PushReport:
        """Give it that branch under the name `to` (else its own), never by force. Raises `RemoteError`
        where it can't be reached."""
