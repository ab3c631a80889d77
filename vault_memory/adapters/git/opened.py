"""One repository, opened: what the roads to a commit share."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import pygit2

from vault_memory.adapters.git import hooks, reasons
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.foreign import ForeignError
from vault_memory.adapters.git.gitindex import PreparedIndex
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.refs import final_ref, final_ref_and_commit, read_ref
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.state import head_ref
from vault_memory.adapters.git.trees import TreeFiles


class UnreadableError(Exception):
    """The repository can't be used by anyone here; the message says why."""


class MisplacedError(UnreadableError):
    """The repository has no working tree, or not where the vault is."""


@dataclass(slots=True)
class Opened:
    """libgit2's view of a repository, with the folders and the git program that go with it."""

    place: Place
    workdir: str
    repo: pygit2.Repository
    settings: Settings
    index: PreparedIndex
    git: GitProgram

    identity: tuple[int, int]
    """(device, inode) of the git directory when it was opened."""

    looked_at: dict[str, tuple[str, TreeFiles]] = field(default_factory=dict)
    """What the last names of commits that were asked for stand for."""

    _scratch: Scratch | None = None

    def scratch(self) -> Scratch:
        """This process's own folder, under one name as long as the repository stays open."""
        if self._scratch is None or self._scratch.pid != os.getpid():
            self._scratch = Scratch(self.place.commondir)
        return self._scratch

    def still_there(self) -> bool:
        """Whether the git directory is the one that was opened."""
        return _inode(self.place) == self.identity

    def branch(self) -> str | None:
        """The ref that a commit moves; `None` where HEAD is detached."""
        ref = head_ref(self.place)
        return final_ref(self.place, ref) if ref is not None else None

    def tip(self) -> str | None:
        """HEAD's commit, `None` before the first one."""
        ref = self.branch()
        return read_ref(self.place, ref) if ref is not None else str(self.repo.head.target)

    def branch_and_tip(self) -> tuple[str | None, str | None]:
        """Both at one look."""
        ref = head_ref(self.place)
        return (
            final_ref_and_commit(self.place, ref) if ref is not None else (None, str(self.repo.head.target))
        )

    def hooks_path(self) -> str | None:
        """core.hooksPath, resolved as git does: from the top of the working tree."""
        return self.settings.folder("core.hooksPath", relative_to=self.workdir)

    def hooks(self) -> frozenset[str]:
        """The person's hooks that a commit has to run."""
        return hooks.active(self.place, self.hooks_path())

    def signs(self) -> bool:
        """Whether the person wants their commits signed."""
        return self.settings.flag("commit.gpgSign") is True


def open_repository(place: Place, *, timeout: float) -> Opened:
    """Open a repository with a working tree. Raises `UnreadableError`, or `ForeignError` where only
    git can."""
    if place.workdir is None:
        raise MisplacedError(reasons.BARE)
    repo = _opened(place)
    if repo.workdir is None:
        raise MisplacedError(reasons.BARE)
    workdir = place.workdir
    if not _same_folder(repo.workdir, workdir):
        raise MisplacedError(reasons.worktree_elsewhere(repo.workdir))
    git = GitProgram(workdir, timeout=timeout)
    index = PreparedIndex(place.gitdir, workdir)
    return Opened(place, workdir, repo, Settings(repo), index, git, _inode(place))


def _same_folder(one: str, other: str) -> bool:
    """Whether two paths lead to one folder: names may differ in case where the file system ignores it."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _inode(place: Place) -> tuple[int, int]:
    try:
        stat = os.stat(place.gitdir)
    except FileNotFoundError:
        return 0, 0
    return stat.st_dev, stat.st_ino


def _opened(place: Place) -> pygit2.Repository:
    try:
        return pygit2.Repository(place.workdir or place.gitdir)
    except (pygit2.GitError, KeyError, OSError) as error:
        text = str(error)
        if "not owned by" in text:
            raise UnreadableError(reasons.not_trusted(place.workdir or place.gitdir)) from error
        raise ForeignError(text) from error
