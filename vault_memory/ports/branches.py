"""Commits by name, merges, private worktrees and the remote: git beyond the commits of memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.branches import Branch, Followed, Merged, Parted, Point, PushReport, Received
    from vault_memory.model.namespace import VaultPath
    from vault_memory.model.revision import Author


class Points(Protocol):
    """Finds commits. Raises `RevisionNotFoundError` for none, `GitError` where git can't tell."""

    def resolve(self, revision: str) -> Point:
        """The commit that a revision names: a hash, branch, tag, `HEAD~3`."""

    def at(self, moment: datetime, *, start: str = "HEAD") -> Point:
        """The last commit on the first-parent line from `start` that is not later than the moment."""

    def line(self, start: str, *, after: str | None = None) -> list[Point]:
        """The first-parent line from `start`, newest first, down to the commit `after` (left out)."""

    def leads_to(self, tip: str, commit: str) -> bool:
        """Whether `commit` is the commit `tip`, or one of those that led to it; both in full."""

    def trunk(self) -> str | None:
        """The branch that is taken for the reviewed one, as a full name; `None` for none. That is the one
        which the remote's HEAD names (the local one of that name, else the remote's), else main or master."""


class Merges(Protocol):
    """Merging without a checkout, and bringing the checkout forward. Raises `GitError`."""

    def base(self, one: str, other: str) -> str | None:
        """The commit where two lines parted, `None` for lines that have nothing in common."""

    def parted(self, head: str, tips: Sequence[str]) -> Mapping[str, Parted]:
        """What each of these commits has that did not lead to `head`, all of them in full. A file that is a
        link or a repository, and has a memory's name, is among both its memories and its other files."""

    def merged(self, ours: str, theirs: str, *, message: str, author: Author | None = None) -> Merged:
        """A merge commit of both (`ours` first), memories by key; no ref, index or file is touched.
        `author=None` is the person."""

    def forward(self, commit: str) -> None:
        """Bring the branch that HEAD names and the checkout to that commit, which must descend from it.

        Nothing that is staged, changed or untracked is overwritten: then `ConflictError`, and all is as
        it was."""

    def count(self, older: str | None, newer: str) -> int:
        """How many commits led to `newer` and not to `older`."""

    def replanted(self, onto: str, since: str, tip: str) -> Merged:
        """The commits after `since` up to `tip` on top of `onto`, memories by key, one whose change is there
        already left out; no ref, index or file is touched. Raises `GitError` for a merge among them."""

    def moved(self, commit: str, old: str) -> None:
        """Bring the branch that HEAD names, which must name `old`, and the checkout to any other commit;
        as `forward` else."""

    def received(self, older: str | None, newer: str) -> Received:
        """What became of the vault's memories between two commits; `None` is before the first one."""


class Worktrees(Protocol):
    """Private worktrees: branches that are worked on beside the person's checkout. Raises `GitError`."""

    def branches(self, prefix: str) -> Sequence[Branch]:
        """The local branches whose names begin so, by name."""

    def fetched(self, prefix: str) -> Sequence[Branch]:
        """The branches of remotes whose names there begin so, as they were when they were fetched last."""

    def take_over(self, branch: str, tip: str) -> None:
        """Have a local branch of that name at the commit, where there is none yet."""

    def open(self, branch: str, folder: Path, *, start: str) -> Path:
        """The vault's folder in the worktree of a branch at `folder`; both are made where they are missing,
        the branch at the commit `start`. What a kill left half made there is made anew."""

    def whole(self, branch: str, folder: Path) -> Path | None:
        """The same where all of it is there already, else `None`; makes nothing."""

    def describe(self, branch: str, about: str) -> None:
        """Write down what a branch is about."""

    def as_in(
        self,
        tip: str,
        source: str,
        paths: Sequence[VaultPath],
        *,
        message: str,
        author: Author | None = None,
    ) -> str:
        """A commit on top of `tip` in which these files are as in the commit `source`: gone where that has
        none. No ref, index or file is touched. `author=None` is the person."""

    def sealed(self, ours: str, theirs: str, *, message: str) -> str:
        """A merge commit of the person's with the files of `theirs`, which descends from `ours`."""

    def leave(self, folder: Path) -> None:
        """Remove a worktree, with all that is in it and in no commit; its branch stays."""

    def advance(self, branch: str, tip: str, to: str) -> None:
        """Let a branch without a worktree name another commit. Raises `ConflictError` where it does not
        name `tip` any more."""

    def drop(self, branch: str, folder: Path, *, tip: str) -> None:
        """Remove the worktree and the branch, if that still names `tip`; its commits stay until git
        collects them. Raises `ConflictError` where it names another commit by now."""


class Remote(Protocol):
    """The repository that a branch is exchanged with. Never prompts. Raises `GitError`."""

    def url(self, name: str) -> str | None:
        """Where a remote lies, without a password in it; `None` for none of that name."""

    def names(self) -> Sequence[str]:
        """The remotes that the repository knows."""

    def follows(self, branch: str) -> Followed | None:
        """What the settings say that a branch is exchanged with, `None` for nothing that is a remote."""

    def follow(self, branch: str, followed: Followed) -> None:
        """Set that, as `git push --set-upstream` does."""

    def tip(self, followed: Followed) -> str | None:
        """The commit that its branch named when that was last fetched or pushed; no network."""

    def parted(self, followed: Followed, commit: str) -> str | None:
        """The last of the commits that its branch has named, as far as it is known here, which led to
        `commit`; `None` where that can't be told."""

    def fetch(self, name: str, branch: str | None = None) -> bool:
        """Bring its branches here; whether it has that one. Raises `RemoteError` where it can't be reached
        or says no."""

    def push(self, name: str, branch: str, *, to: str | None = None) -> PushReport:
        """Give it that branch under the name `to` (else its own), never by force. Raises `RemoteError`
        where it can't be reached."""
