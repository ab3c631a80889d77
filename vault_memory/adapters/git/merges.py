"""The `Merges` port: merging without a checkout, memories by key, and bringing the checkout forward."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git import identity, locate, reasons
from vault_memory.adapters.git.cli import DURABLE, GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitCommandError, GitError, RevisionNotFoundError
from vault_memory.model.branches import Apart, Merged, Received
from vault_memory.model.revision import Author
from vault_memory.ports import Clock

if TYPE_CHECKING:
    from vault_memory.adapters.git.bykey import Settled
    from vault_memory.adapters.git.settings import Settings

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
            return _base(git, commit_of(git, one), commit_of(git, other))

    def merged(self, ours: str, theirs: str, *, message: str, author: Author | None = None) -> Merged:
        """A merge commit of both, memories by key; no ref, index or file is touched."""
        from vault_memory.adapters.git.bykey import settle
        from vault_memory.adapters.git.foreign import GitSettings
        from vault_memory.adapters.git.mergetree import merge_tree

        with self._git("merge-tree") as (git, place):
            mine, other = commit_of(git, ours), commit_of(git, theirs)
            base = _base(git, mine, other)
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
                return _in_conflict(git, done)
            parents = ["-p", mine, "-p", other]
            return Merged(
                self._commit(git, settings, done.tree, parents, message, author), apart=_apart(done)
            )

    def count(self, older: str | None, newer: str) -> int:
        """How many commits led to `newer` and not to `older`."""
        with self._git("rev-list") as (git, _):
            left = [f"^{commit_of(git, older)}"] if older is not None else []
            return int(git.get("rev-list", "--count", commit_of(git, newer), *left))

    def replanted(self, onto: str, since: str, tip: str) -> Merged:
        """The commits after `since` up to `tip` on top of `onto`, memories by key; of conflicts, those of the
        first commit that has any."""
        from vault_memory.adapters.git.foreign import GitSettings
        from vault_memory.adapters.git.replant import replant

        with self._git("merge-tree") as (git, place):
            start, low, high = (commit_of(git, one) for one in (onto, since, tip))
            order = ["--reverse", "--topo-order", "--parents", f"{low}..{high}", f"^{start}"]
            lines = git.get("rev-list", *order).decode("ascii").splitlines()
            commits = [(one, parents) for one, *parents in map(str.split, lines)]
            settings = GitSettings(git)
            person, now = self._person(settings), self._clock.now()
            committer = identity.environment(person, person, now, now)
            done = replant(git, place, settings, commits, start, committer)
            if done.stuck is not None:
                return _in_conflict(git, done.stuck)
            return Merged(done.tip)

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
            return received(git, place, older and commit_of(git, older), commit_of(git, newer))

    def forward(self, commit: str) -> None:
        """Bring HEAD's branch and the checkout to that commit; nothing of the person's is overwritten."""
        from vault_memory.adapters.git.forward import forward

        with self._git("merge --ff-only") as (git, place):
            forward(git, place, commit_of(git, commit))

    def _commit(
        self,
        git: GitProgram,
        settings: Settings,
        tree: str,
        parents: list[str],
        message: str,
        author: Author | None,
    ) -> str:
        person = self._person(settings)
        now = self._clock.now()
        lines = identity.environment(author or person, person, now, now)
        signing = ["-S"] if settings.flag("commit.gpgSign") else []
        command = ["-c", "i18n.commitEncoding=UTF-8", *DURABLE, "commit-tree", tree, *parents, *signing]
        text = (message.rstrip("\n") + "\n").encode("utf-8", "replace")
        return git.get(*command, stdin=text, environment=lines).decode("ascii").strip()

    def _person(self, settings: Settings) -> Author:
        person = identity.person(settings)
        if person is None:
            raise GitError(reasons.NO_IDENTITY)
        return person

    @contextmanager
    def _git(self, what: str) -> Iterator[tuple[GitProgram, Place]]:
        place = locate.find(self._root)
        if place is None:
            raise GitError(f"no git repository holds {self._root}", hint="make one with: git init")
        if place.workdir is None:
            raise GitError(reasons.BARE)
        try:
            yield GitProgram(place.workdir, timeout=self._timeout), place
        except GitRefusedError as error:
            raise GitCommandError(what, str(error)) from error


def commit_of(git: GitProgram, revision: str) -> str:
    """The commit in full that a revision names. Raises `RevisionNotFoundError`."""
    asked = git.run("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    if not asked.ok:
        raise RevisionNotFoundError(revision)
    return asked.out.decode("ascii").strip()


def _base(git: GitProgram, one: str, other: str) -> str | None:
    done = git.run("merge-base", one, other)
    if done.code == 1 and not done.err:
        if git.get("rev-parse", "--is-shallow-repository").strip() == b"true":
            raise GitError(
                "history is cut off here, and where the two lines parted lies behind that",
                hint="bring the rest of it: git fetch --unshallow",
            )
        return None
    if not done.ok:
        raise GitRefusedError(done.words() or "git merge-base did not end in time")
    return done.out.decode("ascii").split()[0]


def _apart(done: Settled) -> tuple[Apart, ...]:
    return tuple(sorted(done.apart, key=lambda one: one.path))


def _in_conflict(git: GitProgram, done: Settled) -> Merged:
    """The conflicts, each as it would lie in the checkout."""
    from vault_memory.adapters.git import blobs

    order = sorted(done.conflicts.items(), key=lambda item: item[1].path)
    marked = [path for path, _ in order if path in done.marked]
    known = dict(zip(marked, blobs.write(git, [done.marked[path] for path in marked]), strict=True))
    others = [path for path, _ in order if path not in known]
    known |= _in_tree(git, done.tree, others)
    written = {path: blobs.checked_out(git, blob, path) for path, blob in known.items()}
    return Merged(
        None,
        conflicts=tuple(one.path for _, one in order),
        outside=tuple(sorted(done.outside)),
        content=tuple((one.path, written[path]) for path, one in order if path in written),
        told=tuple(one for _, one in order),
        apart=_apart(done),
    )


def _in_tree(git: GitProgram, tree: str, paths: list[str]) -> dict[str, str]:
    """The blobs of ordinary files at these paths."""
    found = {}
    for path in paths:
        line = git.get("ls-tree", "-z", tree, "--", path)
        head, _, name = line.removesuffix(b"\0").partition(b"\t")
        if head.startswith(b"100") and os.fsdecode(name) == path:
            found[path] = head.split()[2].decode("ascii")
    return found
