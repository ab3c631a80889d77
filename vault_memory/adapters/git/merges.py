"""The `Merges` port: merging without a checkout, memories by key, and bringing the checkout forward."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git import identity
from vault_memory.adapters.git.asking import asking, commit_of, merge_base
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitError
from vault_memory.model.branches import Apart, Merged, Parted, Received
from vault_memory.model.revision import Author
from vault_memory.ports import Clock

if TYPE_CHECKING:
    from vault_memory.adapters.git.bykey import Settled

_LEAST = 60.0
"""Seconds that one git command may take at least: a merge or a checkout of many files is long."""


class GitMerges:
    """Merges in the repository that holds the vault at `root`, by the git program alone.

    `git_timeout` is the longest wait for one git command, in seconds."""

    def __init__(self, root: Path, *, clock: Clock, git_timeout: float = 20.0) -> None:
        self._root = Path(os.path.realpath(root))
        self._clock = clock
        self._timeout = max(git_timeout, _LEAST)

    def base(self, one: str, other: str) -> str | None:
        """The commit where two lines parted, `None` for lines that have nothing in common."""
        with self._git("merge-base") as (git, _):
            return merge_base(git, commit_of(git, one), commit_of(git, other))

    def parted(self, head: str, tips: Sequence[str]) -> Mapping[str, Parted]:
        """What each of these commits has that did not lead to `head`."""
        from vault_memory.adapters.git.parted import parted

        with self._git("diff-tree") as (git, place):
            return parted(git, place, head, list(dict.fromkeys(tips)))

    def merged(self, ours: str, theirs: str, *, message: str, author: Author | None = None) -> Merged:
        """A merge commit of both, memories by key; no ref, index or file is touched."""
        from vault_memory.adapters.git.bykey import settle
        from vault_memory.adapters.git.foreign import GitSettings
        from vault_memory.adapters.git.mergetree import merge_tree
        from vault_memory.adapters.git.treecommit import commit_now

        with self._git("merge-tree") as (git, place):
            mine, other = commit_of(git, ours), commit_of(git, theirs)
            base = merge_base(git, mine, other)
            if base in (mine, other):
                return Merged(other if base == mine else mine)
            if base is None:
                raise GitError(
                    f"{ours} and {theirs} have no commit in common: they are two histories",
                    hint="git merge --allow-unrelated-histories brings them together, if that is meant",
                )
            settings = GitSettings(git)
            tree, found = merge_tree(git, place, settings, mine, other)
            done = settle(git, place, tree, found)
            if done.conflicts or done.outside:
                return _in_conflict(done)
            now = self._clock.now()
            made = commit_now(git, settings, done.tree, (mine, other), message, author=author, now=now)
            return Merged(made, apart=_apart(done))

    def count(self, older: str | None, newer: str) -> int:
        """How many commits led to `newer` and not to `older`."""
        with self._git("rev-list") as (git, _):
            left = [f"^{commit_of(git, older)}"] if older is not None else []
            return int(git.get("rev-list", "--count", commit_of(git, newer), *left))

    def replanted(self, onto: str, since: str, tip: str) -> Merged:
        """The commits after `since` up to `tip` on top of `onto`, memories by key; of conflicts, those of the
        first commit that has any."""
        from vault_memory.adapters.git.foreign import GitSettings
        from vault_memory.adapters.git.replant import Replanted, replant
        from vault_memory.adapters.git.treecommit import the_person

        with self._git("merge-tree") as (git, place):
            start, low, high = (commit_of(git, one) for one in (onto, since, tip))
            order = ["--reverse", "--topo-order", "--parents", f"{low}..{high}", f"^{start}"]
            lines = git.get("rev-list", *order).decode("ascii").splitlines()
            commits = [(one, parents) for one, *parents in map(str.split, lines)]
            settings = GitSettings(git)
            person, now = the_person(settings), self._clock.now()
            committer = identity.environment(person, person, now, now)
            done = replant(git, place, settings, commits, start, committer)
            return Merged(done.tip, apart=done.apart) if isinstance(done, Replanted) else _in_conflict(done)

    def moved(self, commit: str, old: str) -> None:
        """Bring HEAD's branch, which must name `old`, and the checkout to another commit; nothing of the
        person's is overwritten."""
        from vault_memory.adapters.git.forward import move

        with self._git("checkout") as (git, place):
            move(git, place, commit_of(git, commit), commit_of(git, old))

    def received(self, older: str | None, newer: str) -> Received:
        """What became of the vault's memories between two commits, renames told."""
        from vault_memory.adapters.git.received import received

        with self._git("diff-tree") as (git, place):
            return received(git, place, older, newer)

    def forward(self, commit: str) -> None:
        """Bring HEAD's branch and the checkout to that commit; nothing of the person's is overwritten."""
        from vault_memory.adapters.git.forward import forward

        with self._git("merge --ff-only") as (git, place):
            forward(git, place, commit_of(git, commit))

    def _git(self, what: str) -> AbstractContextManager[tuple[GitProgram, Place]]:
        return asking(self._root, what, timeout=self._timeout)


def _apart(done: Settled) -> tuple[Apart, ...]:
    return tuple(sorted(done.apart, key=lambda one: one.path))


def _in_conflict(done: Settled) -> Merged:
    told = sorted(done.conflicts.values(), key=lambda one: one.path)
    return Merged(None, tuple(told), tuple(sorted(done.outside)), _apart(done))
