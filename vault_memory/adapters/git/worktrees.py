"""The `Worktrees` port: branches that are worked on in private worktrees, beside the person's checkout."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from vault_memory.adapters.git import locate
from vault_memory.adapters.git.asking import asking, commit_or_none, rows
from vault_memory.adapters.git.cli import DURABLE, GitProgram
from vault_memory.adapters.git.foreign import GitSettings
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.treecommit import commit_now, tree_with
from vault_memory.adapters.git.worktree import ADDING, Worktree
from vault_memory.errors import ConflictError, GitError
from vault_memory.model.branches import Branch
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Author
from vault_memory.ports import Clock, Lock

_REF = "refs/heads/"
_FETCHED = "refs/remotes/"
_NO_REPOSITORY = "a proposal is a branch; make one with: git init"


class GitWorktrees:
    """Worktrees of the repository around the vault at `root`. One is made or removed under `lock`, for which
    `wait` seconds are waited; `clock` dates commits, and `git_timeout` is the longest wait, in seconds, for a
    git command that copies no files."""

    def __init__(
        self, root: Path, *, lock: Lock, wait: float, clock: Clock, git_timeout: float = 20.0
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._clock = clock
        self._lock = lock
        self._wait = wait
        self._timeout = git_timeout

    def branches(self, prefix: str) -> Sequence[Branch]:
        """The local branches whose names begin so, by name."""
        if locate.find(self._root) is None:
            return ()
        with self._git() as (git, _):
            folder = prefix.rpartition("/")[0]
            form = "--format=%(refname)%00%(objectname)"
            listed = git.get("for-each-ref", form, f"{_REF}{folder}").decode("utf-8", "surrogateescape")
            pairs = [line.split("\0") for line in listed.split("\n") if line]
            found = {ref.removeprefix(_REF): tip for ref, tip in pairs if ref.startswith(_REF + prefix)}
            about = self._abouts(git) if found else {}
        return [Branch(name, found[name], about.get(name, "")) for name in sorted(found)]

    def fetched(self, prefix: str) -> Sequence[Branch]:
        """The branches of remotes whose names there begin so, as they were when they were fetched last."""
        if locate.find(self._root) is None:
            return ()
        found = []
        with self._git() as (git, _):
            remotes = git.get("remote").decode("utf-8", "surrogateescape").split("\n")
            form = "--format=%(refname)%00%(objectname)"
            listed = git.get("for-each-ref", form, _FETCHED).decode("utf-8", "surrogateescape")
            for line in listed.split("\n"):
                ref, _, tip = line.removeprefix(_FETCHED).partition("\0")
                for remote in remotes:
                    name = ref.removeprefix(f"{remote}/")
                    if remote and name != ref and name.startswith(prefix):
                        found.append(Branch(name, tip, remote=remote))
        return found

    def take_over(self, branch: str, tip: str) -> None:
        """Have a local branch of that name at the commit, where there is none yet."""
        with self._git() as (git, _):
            if not git.run("show-ref", "--verify", "--quiet", _REF + branch).ok:
                _refuse_in_the_way(git, branch)
                git.get("branch", "--no-track", "--end-of-options", branch, tip)

    def open(self, branch: str, folder: Path, *, start: str) -> Path:
        """The vault's folder in the branch's worktree; both are made where they are missing."""
        with self._git() as (git, place), self._lock.held(wait=self._wait):
            tree = Worktree.at(git, place, branch, folder)
            tree.sweep()
            if not git.run("check-ref-format", _REF + branch).ok:
                raise GitError(f"git takes no branch called {branch!r}", hint="give it another name")
            if commit_or_none(git, _REF + branch) is None:
                _refuse_in_the_way(git, branch)
                git.get("branch", "--no-track", "--end-of-options", branch, start)
            if not tree.is_whole():
                tree.refuse_if_elsewhere()
                tree.refuse_own_local()
                tree.leave()
                folder.parent.mkdir(parents=True, exist_ok=True)
                git.get(*ADDING, str(folder), branch, timeout=max(self._timeout, 600.0))
            return tree.furnished(self._root)

    def whole(self, branch: str, folder: Path) -> Path | None:
        """The same where all of it is there already."""
        if not os.path.lexists(folder):
            return None
        with self._git() as (git, place):
            tree = Worktree.at(git, place, branch, folder)
            return tree.furnished(self._root) if tree.is_whole() else None

    def describe(self, branch: str, about: str) -> None:
        """Write it down where git itself keeps what a branch is about."""
        with self._git() as (git, _):
            git.get("config", "--local", f"branch.{branch}.description", about)

    def as_in(
        self,
        tip: str,
        source: str,
        paths: Sequence[VaultPath],
        *,
        message: str,
        author: Author | None = None,
    ) -> str:
        """A commit on top of `tip` in which these files are as in the commit `source`."""
        with self._git() as (git, place):
            listed = rows(git.get("ls-tree", "-r", "-z", source))
            there = {name: (blob, int(mode, 8)) for (mode, _, blob), name in listed}
            wanted = sorted({place.tracked(path) for path in paths})
            tree = tree_with(git, tip, {name: there.get(name) for name in wanted})
            return self._commit(git, tree, (tip,), message, author)

    def sealed(self, ours: str, theirs: str, *, message: str) -> str:
        """A merge commit with the files of `theirs`, which descends from `ours`."""
        with self._git() as (git, _):
            return self._commit(git, f"{theirs}^{{tree}}", (ours, theirs), message, None)

    def leave(self, folder: Path) -> None:
        """Remove a worktree, with all that is in it and in no commit."""
        with self._git() as (git, place), self._lock.held(wait=self._wait):
            Worktree.at(git, place, "", folder).leave()

    def advance(self, branch: str, tip: str, to: str) -> None:
        """Let a branch without a worktree name another commit."""
        with self._git() as (git, _):
            if not git.run(*DURABLE, "update-ref", "-m", "vmem review", _REF + branch, to, tip).ok:
                raise _moved(git, branch, tip)

    def drop(self, branch: str, folder: Path, *, tip: str) -> None:
        """Remove the worktree and the branch, if that still names `tip`."""
        with self._git() as (git, place), self._lock.held(wait=self._wait):
            tree = Worktree.at(git, place, branch, folder)
            # The worktree first: one whose branch is gone would take the next of that name for changes.
            tree.leave()
            tree.refuse_if_elsewhere()
            if not git.run("update-ref", "-d", _REF + branch, tip).ok:
                raise _moved(git, branch, tip)
            git.run("config", "--local", "--remove-section", f"branch.{branch}")

    def _commit(
        self, git: GitProgram, tree: str, parents: Sequence[str], message: str, author: Author | None
    ) -> str:
        settings, now = GitSettings(git), self._clock.now()
        return commit_now(git, settings, tree, parents, message, author=author, now=now)

    def _abouts(self, git: GitProgram) -> dict[str, str]:
        found = git.run("config", "--local", "-z", "--get-regexp", r"^branch\..*\.description$")
        pairs = (one.partition("\n") for one in found.out.decode("utf-8", "replace").split("\0")[:-1])
        return {
            key.removeprefix("branch.").removesuffix(".description"): text.strip() for key, _, text in pairs
        }

    def _git(self) -> AbstractContextManager[tuple[GitProgram, Place]]:
        return asking(self._root, "in a proposal", timeout=self._timeout, hint=_NO_REPOSITORY)


def _refuse_in_the_way(git: GitProgram, branch: str) -> None:
    """Raise `GitError` where a branch has the name of a folder that this one needs."""
    parts = branch.split("/")
    for depth in range(1, len(parts)):
        name = "/".join(parts[:depth])
        if git.run("show-ref", "--verify", "--quiet", _REF + name).ok:
            raise GitError(
                f"a branch is called {name}, so there can be none called {branch}",
                hint=f"give it another name: git branch -m {name} NAME",
            )


def _moved(git: GitProgram, branch: str, tip: str) -> GitError | ConflictError:
    now = git.run("rev-parse", "--quiet", "--verify", f"{_REF}{branch}")
    found = now.out.decode("ascii", "replace").strip()
    if now.ok and found == tip:
        return GitError(f"git does not let go of the branch {branch}", hint="try again in a moment")
    return ConflictError(
        branch,
        "something was added to it meanwhile" if now.ok else "the branch is gone",
        expected=tip,
        found=found or None,
        hint=f"look at it again: vmem review {branch}",
    )
