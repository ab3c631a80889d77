"""The `Staging` port: the commit under way, read and changed in the very index that git uses for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git import blobs, locate, processes
from vault_memory.adapters.git.asking import (
    asking,
    below,
    checkout_of,
    commit_or_none,
    index_lines,
    rows,
)
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.config import environ
from vault_memory.errors import UnsafePathError, UsageError
from vault_memory.model.namespace import VaultPath, is_memory_name, parse_path
from vault_memory.model.underway import Form, StagedFile, UnderWay
from vault_memory.ports import Clock

if TYPE_CHECKING:
    from vault_memory.model.comparison import Versions

_WHOLE = ("index", "index.lock")
"""The live index, and the name that `git commit -a` gives it while it works on it."""
_REGULAR = ("100644", "100755")
_AT_A_TIME = 2000
_SECOND_NS = 1_000_000_000
_LONGEST_RUN_NS = 3600 * _SECOND_NS
"""No program's hooks take longer than that until ours has its turn."""
_JUST_NOW = 2
"""Seconds before the start of a commit within which an author's time tells nothing about amending."""


class GitStaging:
    """The commit under way in the repository that holds the vault at `root`.

    By the git program alone, so that every shape of index and repository is read as git reads it."""

    def __init__(self, root: Path, *, clock: Clock, git_timeout: float = 20.0) -> None:
        self._root = Path(os.path.realpath(root))
        self._clock = clock
        self._timeout = git_timeout

    def under_way(self) -> UnderWay:
        """What the environment says of it. Raises `GitError`, or `UsageError` for a commit elsewhere."""
        outer = environ.outer_commit()
        if outer.ours:
            return UnderWay(Form.OWN)
        place = checkout_of(self._root)
        if outer.index is None:
            return UnderWay(Form.CHECK if outer.by_program else Form.NONE)
        name = _name_in(place, outer)
        began = _seconds_of(outer.author_date)
        now_ns = self._clock.now_ns()
        return UnderWay(
            Form.WHOLE if name in _WHOLE else Form.PARTIAL,
            amends=self._amends(began, now_ns),
            aside_ns=_aside(began, now_ns) if outer.by_program else None,
        )

    def files(self) -> Iterator[StagedFile]:
        """The vault's Markdown files in the index in use. Raises `GitError`."""
        with self._git() as (git, place):
            listed = git.get("ls-files", "--stage", "-z", *below(place), environment=_index_in_use())
            found = [one for row in rows(listed) if (one := _memory(place, *row)) is not None]
            for start in range(0, len(found), _AT_A_TIME):
                some = found[start : start + _AT_A_TIME]
                contents = blobs.read(git, [blob for _, blob, _ in some])
                for (path, blob, mode), content in zip(some, contents, strict=True):
                    yield StagedFile(path, blob, mode, content)

    def changed(self, since: str | None) -> dict[VaultPath, Versions]:
        """Each memory that differs from the commit `since`, with both versions. Raises `GitError`."""
        from vault_memory.adapters.git.indexdiff import index_changes

        with self._git() as (git, place):
            return index_changes(git, place, _index_in_use(), since)

    def kept(self, files: Sequence[StagedFile], *, amends: bool) -> frozenset[VaultPath]:
        """Those whose very bytes are in the commit that the one under way will follow."""
        with self._git() as (git, place):
            followed = commit_or_none(git, "HEAD^" if amends else "HEAD")
            if followed is None:
                return frozenset()
            wanted = {place.tracked(file.path): file for file in files}
            listed = rows(git.get("ls-tree", "-r", "-z", followed, *below(place)))
            return frozenset(
                wanted[name].path
                for (_, _, blob), name in listed
                if name in wanted and wanted[name].blob == blob
            )

    def holds(self, file: StagedFile, content: bytes) -> bool:
        """Whether these bytes of the working tree are what is staged. Raises `GitError`."""
        if content == file.content:
            return True
        with self._git() as (git, place):
            path = place.tracked(file.path)
            out = git.get("hash-object", "--stdin", f"--path={path}", stdin=content)
            return out.decode().strip() == file.blob

    def take_out(self, files: Sequence[StagedFile]) -> None:
        """Take the files out of the index in use, all or none. Raises `GitError`."""
        self._update(dict.fromkeys((file.path for file in files), None), digits=len(files[0].blob))

    def put_back(self, files: Sequence[StagedFile]) -> None:
        """Put them into it again. Raises `GitError`."""
        self._update({file.path: (file.blob, file.mode) for file in files}, digits=len(files[0].blob))

    def _update(self, entries: Mapping[VaultPath, tuple[str, int] | None], *, digits: int) -> None:
        with self._git() as (git, place):
            named = {place.tracked(path): entry for path, entry in entries.items()}
            lines = index_lines(named, digits=digits)
            git.get("update-index", "-z", "--index-info", stdin=lines, environment=_index_in_use())

    def _git(self) -> AbstractContextManager[tuple[GitProgram, Place]]:
        return asking(self._root, "in the commit under way", timeout=self._timeout)

    def _amends(self, began: int | None, now_ns: int) -> bool:
        """An amending commit hands its hooks the author's time of the commit that it replaces."""
        if began is None or (now_ns - _running_ns()) // _SECOND_NS - began <= _JUST_NOW:
            return False
        with self._git() as (git, _):
            head = git.run("log", "-1", "--no-show-signature", "--format=%at", "HEAD")
        return head.ok and head.out.decode().strip() == str(began)


def _running_ns() -> int:
    """For how long the git that runs us as its hook has been at it, 0 where the system does not tell.

    On a busy machine, or behind slow hooks, our turn comes long after it took the time."""
    git = next(filter(processes.is_git, processes.ancestors()), None)
    return int(_SECOND_NS * ((processes.age_of(git) if git else None) or 0))


def _aside(began: int | None, now_ns: int) -> int:
    """A time that surely lies before the program set anything aside."""
    earliest = now_ns - _LONGEST_RUN_NS
    began_ns = began * _SECOND_NS if began is not None else 0
    return began_ns if earliest <= began_ns <= now_ns else earliest


def _seconds_of(date: str | None) -> int | None:
    """The seconds since 1970 in git's own form of a date (`@1700000000 +0100`)."""
    digits = (date or "").removeprefix("@").partition(" ")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else None


def _absolute(index: str) -> str:
    """Where an outer git's index lies: it names it from the top of its working tree."""
    here = environ.working_folder()
    outer = locate.find(Path(os.path.realpath(here)))
    return os.path.join(outer.workdir if outer is not None and outer.workdir else here, index)


def _name_in(place: Place, outer: environ.OuterCommit) -> str:
    """The file's name of the index in use. Raises `UsageError` where it is another repository's."""
    assert outer.index is not None
    folder, name = os.path.split(_absolute(outer.index))
    if os.path.realpath(folder) != os.path.realpath(place.gitdir):
        raise UsageError(
            f"the commit under way is in another repository: its index is {outer.index}",
            hint="name the vault that lies in the repository of this hook: --vault FOLDER",
        )
    return name


def _index_in_use() -> dict[str, str]:
    """What git finds in its environment so that it uses the very index that the commit under way uses."""
    outer = environ.outer_commit()
    return {} if outer.index is None else {"GIT_INDEX_FILE": _absolute(outer.index)}


def _memory(place: Place, told: Sequence[str], name: str) -> tuple[VaultPath, str, int] | None:
    """(path, blob, mode) of a row of the index, `None` where it is no memory or not merged."""
    mode, blob, stage = told
    path = place.in_vault(name)
    if mode not in _REGULAR or stage != "0" or path is None or not is_memory_name(path):
        return None
    try:
        return parse_path(path), blob, int(mode, 8)
    except UnsafePathError:
        return None
