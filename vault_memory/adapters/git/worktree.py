"""One private worktree on the disk: whether it is whole, and its removal, of which a kill leaves no half."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from vault_memory.adapters.git import locate
from vault_memory.adapters.git.asking import rows
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.errors import GitError, StorageError

ADDING = ("-c", "core.hooksPath=/dev/null", "worktree", "add", "--force", "--force", "--quiet")
"""Forced twice, since one that a kill left half made is locked. A hook is for a person's own checkouts."""
GONE = ".gone-"
"""What the names of worktrees begin with that are being removed."""
_INITIALIZING = b"initializing"
"""What git writes as the reason of its lock while it makes one."""
_CONFIG = ".vmem/config.toml"
_LOCAL = ".vmem/local"
_TREE = "040000"


@dataclass(frozen=True, slots=True)
class Worktree:
    """The worktree of a branch at `folder`; `place` is the repository that it belongs to."""

    git: GitProgram
    place: Place
    branch: str
    folder: Path

    @classmethod
    def at(cls, git: GitProgram, place: Place, branch: str, folder: Path) -> Self:
        """The one at `folder`, which is made, renamed and deleted. Raises `StorageError` where a link lies on
        the way to it, as a clone may bring one along."""
        for one in (folder.parent.parent, folder.parent, folder):
            if one.is_symlink():
                raise StorageError(
                    str(one), "it is a link", hint="delete the link: what lies there is made anew"
                )
        return cls(git, place, branch, folder)

    def is_whole(self) -> bool:
        """Whether it is there, this repository's, and made to the end. Raises `GitError` where somebody has
        gone to another branch in it."""
        admin = self._admin()
        if admin is None or not os.path.exists(os.path.join(admin, "index")):
            return False
        if _content(os.path.join(admin, "locked")).strip() == _INITIALIZING:
            return False
        inside = GitProgram(str(self.folder), timeout=self.git.timeout)
        head = inside.run("symbolic-ref", "--quiet", "HEAD").out.decode("utf-8", "surrogateescape").strip()
        if head != f"refs/heads/{self.branch}":
            raise GitError(
                f"the worktree {self.folder} is not on its branch {self.branch}",
                hint=f"git -C {self.folder} switch {self.branch}   or delete that folder",
            )
        return True

    def furnished(self, root: Path) -> Path:
        """The vault's folder in it, with the settings of the vault at `root` where its branch has none."""
        vault = self.folder / self.place.prefix
        config = vault / _CONFIG
        for way in self._ways():
            if (self.folder / way).is_symlink():
                raise self._own(way, f"delete the folder {self.folder}: the branch keeps what is committed")
        try:
            if not os.path.lexists(config) and os.path.isfile(root / _CONFIG):
                config.parent.mkdir(parents=True, exist_ok=True)
                fresh = config.with_name("config.toml.new")
                shutil.copyfile(root / _CONFIG, fresh)
                fresh.replace(config)
        except OSError as error:
            raise StorageError(str(config), error.strerror or str(error)) from error
        return vault

    def refuse_own_local(self) -> None:
        """Raise `GitError` where the branch itself holds something at the place of our local folder, be it a
        journal of somebody else's, or a link on the way there, which could lead out of the worktree."""
        ways = self._ways()
        listed = self.git.get("ls-tree", "-z", "-t", f"refs/heads/{self.branch}", "--", *ways)
        modes = {name: mode for (mode, *_), name in rows(listed)}
        for way in ways:
            if modes.get(way, _TREE) != _TREE or way == ways[-1] in modes:
                raise self._own(
                    way, f"take it away: vmem review {self.branch} --close   or commit its removal"
                )

    def _ways(self) -> list[str]:
        """The folders from the worktree's own down to our local one, as the repository names them."""
        parts = f"{self.place.prefix}{_LOCAL}".split("/")
        return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]

    def _own(self, way: str, hint: str) -> GitError:
        return GitError(
            f"the branch {self.branch} brings a {way} of its own, where vmem keeps what is of this machine",
            hint=hint,
        )

    def refuse_if_elsewhere(self) -> None:
        """Raise `GitError` where somebody has the branch checked out at another place."""
        listed = self.git.get("worktree", "list", "--porcelain", "-z").decode("utf-8", "surrogateescape")
        for block in listed.split("\0\0"):
            lines = dict(line.partition(" ")[::2] for line in block.split("\0") if line)
            place = lines.get("worktree", "")
            if lines.get("branch") != f"refs/heads/{self.branch}" or not os.path.isdir(place):
                continue
            if os.path.realpath(place) != os.path.realpath(self.folder) and self._is_ours(Path(place)):
                ours = "/.vmem/local/worktrees/" in place.replace(os.sep, "/")
                raise GitError(
                    f"the branch {self.branch} is checked out in {place}",
                    hint=f"a vault beside this one works on it; take that away: git worktree remove {place}"
                    if ours
                    else f"go to another one there first: git -C {place} switch BRANCH",
                )

    def leave(self) -> None:
        """Remove it. It loses its name first, so that what is left of it after a kill is never taken for
        a worktree whose files somebody has deleted."""
        if os.path.lexists(self.folder):
            if not os.path.isdir(self.folder) or os.path.islink(self.folder):
                raise StorageError(str(self.folder), "it is no folder", hint="move it away and try again")
            gone = self.folder.with_name(f"{GONE}{os.getpid()}-{self.folder.name}")
            try:
                shutil.rmtree(gone, ignore_errors=True)
                self.folder.rename(gone)
            except OSError as error:
                raise StorageError(str(self.folder), error.strerror or str(error), wanted="remove") from error
        self.git.run("worktree", "remove", "--force", "--force", str(self.folder))
        self.sweep()

    def sweep(self) -> None:
        """Delete what is left of those that were removed; under the lock, so nobody is at it now."""
        for left in self.folder.parent.glob(f"{GONE}*"):
            shutil.rmtree(left, ignore_errors=True)

    def _admin(self) -> str | None:
        """Git's own folder for it, `None` where there is none, or it is another repository's: a copied
        vault brings worktrees of the first one along."""
        if not self._is_ours(self.folder):
            return None
        found = locate.find(self.folder)
        if found is None or found.gitdir == found.commondir:
            return None
        back = _content(os.path.join(found.gitdir, "gitdir")).strip()
        here = os.path.realpath(self.folder / ".git")
        return found.gitdir if os.path.realpath(os.fsdecode(back)) == here else None

    def _is_ours(self, folder: Path) -> bool:
        found = locate.find(Path(os.path.realpath(folder)))
        return (
            found is not None
            and found.workdir is not None
            and os.path.realpath(found.workdir) == os.path.realpath(folder)
            and os.path.realpath(found.commondir) == os.path.realpath(self.place.commondir)
        )


def _content(path: str) -> bytes:
    try:
        return locate.content(path)
    except OSError:
        return b""
