"""Finding the repository a vault lies in, and turning the vault's paths into the repository's."""

from __future__ import annotations

import functools
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from vault_memory.adapters.git import reasons
from vault_memory.model.namespace import is_memory_name


@dataclass(frozen=True, slots=True)
class Place:
    """A repository's folders. `gitdir` holds HEAD and the index, `commondir` refs and objects.

    `prefix` is the vault's folder below `workdir`, `""` or ending in `/`."""

    gitdir: str
    commondir: str
    workdir: str | None
    prefix: str

    def tracked(self, path: str) -> str:
        """The repository's name for a vault path, links not looked at."""
        return self.prefix + path

    def in_vault(self, tracked: str) -> str | None:
        """The vault's name for a repository path, `None` outside the vault."""
        return tracked[len(self.prefix) :] if tracked.startswith(self.prefix) else None

    def note(self, tracked: str) -> str | None:
        """The vault's name for a Markdown file, `None` for anything else and for what is hidden."""
        path = self.in_vault(tracked)
        if path is None or not is_memory_name(path):
            return None
        return None if any(part.startswith(".") for part in path.split("/")) else path

    def absolute(self, tracked: str) -> str:
        """Where the file lies on disk."""
        return os.path.join(self.workdir or "", tracked)


class NotTrackedError(Exception):
    """The path can't be in this repository; the message says why."""


def find(root: Path) -> Place | None:
    """Look upwards from the vault's folder, as git does; the environment has no say."""
    for folder, prefix in _upwards(str(root)):
        gitdir = _gitdir_of(os.path.join(folder, ".git"))
        if gitdir is not None:
            return Place(gitdir, _commondir_of(gitdir), folder, prefix)
        if _is_gitdir(folder):
            return Place(folder, _commondir_of(folder), None, "")
    return None


@functools.lru_cache(maxsize=16)
def _upwards(root: str) -> tuple[tuple[str, str], ...]:
    """The folder and those above it, each with what leads down from it: `""`, or ending in `/`."""
    start = Path(root)
    return tuple(
        (str(folder), "" if folder == start else start.relative_to(folder).as_posix() + "/")
        for folder in (start, *start.parents)
    )


def _gitdir_of(dot: str) -> str | None:
    try:
        kind = os.stat(dot).st_mode
    except OSError:  # nothing there, or nothing that we may look at: git goes on upwards too
        return None
    if stat.S_ISDIR(kind):
        return dot if os.path.lexists(os.path.join(dot, "HEAD")) else None
    with open(dot, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read(8192)
    if not text.startswith("gitdir:"):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(dot), text.removeprefix("gitdir:").strip()))


def _is_gitdir(folder: str) -> bool:
    return (
        os.path.isfile(os.path.join(folder, "HEAD"))
        and os.path.isdir(os.path.join(folder, "objects"))
        and os.path.isdir(os.path.join(folder, "refs"))
    )


def _commondir_of(gitdir: str) -> str:
    try:
        text = content(os.path.join(gitdir, "commondir")).decode("utf-8", "surrogateescape")
    except OSError:
        return gitdir
    return os.path.normpath(os.path.join(gitdir, text.strip()))


def content(path: str) -> bytes:
    """The first 64 KiB of a small file of git's; half the time of `open`. Raises `OSError`."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)


class Resolver:
    """Finds the repository path whose bytes an operation on a vault path changes.

    Git follows no links, so a file behind one is tracked under its real name. Each folder is looked at
    once, so it serves one batch of paths."""

    def __init__(self, place: Place) -> None:
        assert place.workdir is not None
        self._place = place
        self._top = os.path.realpath(place.workdir)
        self._real: dict[str, str] = {}
        self._whole: set[str] = {self._top}

    def tracked(self, path: str, *, removal: bool) -> str:
        """The repository's name for it. Raises `NotTrackedError`."""
        folder, name = os.path.split(self._place.absolute(self._place.tracked(path)))
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        real = os.path.join(self._real[folder], name)
        if not removal and os.path.islink(real):
            real = os.path.realpath(real)
        if not real.startswith(self._top + os.sep):
            raise NotTrackedError(reasons.OUTSIDE)
        self._check_whole(os.path.dirname(real))
        return real[len(self._top) + 1 :].replace(os.sep, "/")

    def _check_whole(self, folder: str) -> None:
        """That no repository of its own lies between the top and a folder, the topmost one told."""
        if folder in self._whole:
            return
        parts = folder[len(self._top) + 1 :].split(os.sep)
        for depth in range(1, len(parts) + 1):
            if os.path.lexists(os.path.join(self._top, *parts[:depth], ".git")):
                raise NotTrackedError(reasons.nested("/".join(parts[:depth])))
        self._whole.add(folder)


def resolve(place: Place, path: str, *, removal: bool) -> str:
    """The repository path whose bytes an operation on one vault path changes. Raises `NotTrackedError`."""
    return Resolver(place).tracked(path, removal=removal)
