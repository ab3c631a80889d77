"""The `Staging` port: the commit under way, read and changed in the very index that git uses for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git import locate, reasons
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.signed import index_lines
from vault_memory.config import environ
from vault_memory.errors import GitCommandError, GitError, UnsafePathError, UsageError
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
"""Seconds within which an author's time tells nothing about amending."""


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
        place = self._place()
        if outer.index is None:
            return UnderWay(Form.CHECK if outer.by_program else Form.NONE)
        name = _name_in(place, outer)
        began = _seconds_of(outer.author_date)
        now_ns = self._clock.now_ns()
        return UnderWay(
            Form.WHOLE if name in _WHOLE else Form.PARTIAL,
            amends=self._amends(place, began, now_ns),
            aside_ns=_aside(began, now_ns) if outer.by_program else None,
        )

    def files(self) -> Iterator[StagedFile]:
        """The vault's Markdown files in the index in use. Raises `GitError`."""
        place = self._place()
        with self._git(place) as (git, index):
            listed = git.get("ls-files", "--stage", "-z", *_below(place), environment=index)
            found = [one for line in listed.split(b"\0")[:-1] if (one := _memory(place, line)) is not None]
            for start in range(0, len(found), _AT_A_TIME):
                some = found[start : start + _AT_A_TIME]
                asked = "".join(f"{blob}\n" for _, blob, _ in some).encode()
                contents = _contents(git.get("cat-file", "--batch", stdin=asked))
                for (path, blob, mode), content in zip(some, contents, strict=True):
                    yield StagedFile(path, blob, mode, content)

    def changed(self, since: str | None) -> dict[VaultPath, Versions]:
        """Each memory that differs from the commit `since`, with both versions. Raises `GitError`."""
        from vault_memory.adapters.git.indexdiff import index_changes

        place = self._place()
        with self._git(place) as (git, index):
            return index_changes(git, place, index, since)

    def kept(self, files: Sequence[StagedFile], *, amends: bool) -> frozenset[VaultPath]:
        """Those whose very bytes are in the commit that the one under way will follow."""
        place = self._place()
        with self._git(place) as (git, _):
            asked = "HEAD^" if amends else "HEAD"
            found = git.run("rev-parse", "--quiet", "--verify", f"{asked}^{{commit}}")
            if not found.ok:
                return frozenset()
            wanted = {place.tracked(file.path): file for file in files}
            listed = git.get("ls-tree", "-r", "-z", found.out.decode().strip(), *_below(place))
            return frozenset(
                wanted[name].path
                for _, blob, name in map(_parted, listed.split(b"\0")[:-1])
                if name in wanted and wanted[name].blob == blob
            )

    def holds(self, file: StagedFile, content: bytes) -> bool:
        """Whether these bytes of the working tree are what is staged. Raises `GitError`."""
        if content == file.content:
            return True
        place = self._place()
        with self._git(place) as (git, _):
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
        place = self._place()
        lines = index_lines({place.tracked(path): entry for path, entry in entries.items()}, digits=digits)
        with self._git(place) as (git, index):
            git.get("update-index", "-z", "--index-info", stdin=lines, environment=index)

    def _place(self) -> Place:
        place = locate.find(self._root)
        if place is None:
            raise GitError(f"no git repository holds {self._root}", hint="make one with: git init")
        if place.workdir is None:
            raise GitError(reasons.BARE)
        return place

    @contextmanager
    def _git(self, place: Place) -> Iterator[tuple[GitProgram, dict[str, str]]]:
        """The program, and what to add to its environment so that it uses the index in use."""
        assert place.workdir is not None
        outer = environ.outer_commit()
        index = {} if outer.index is None else {"GIT_INDEX_FILE": _absolute(outer.index)}
        try:
            yield GitProgram(place.workdir, timeout=self._timeout), index
        except GitRefusedError as error:
            raise GitCommandError("in the commit under way", str(error)) from error

    def _amends(self, place: Place, began: int | None, now_ns: int) -> bool:
        """An amending commit hands its hooks the author's time of the commit that it replaces."""
        if began is None or now_ns // _SECOND_NS - began <= _JUST_NOW:
            return False
        with self._git(place) as (git, _):
            head = git.run("log", "-1", "--no-show-signature", "--format=%at", "HEAD")
        return head.ok and head.out.decode().strip() == str(began)


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


def _below(place: Place) -> list[str]:
    return ["--", place.prefix] if place.prefix else []


def _memory(place: Place, line: bytes) -> tuple[VaultPath, str, int] | None:
    """(path, blob, mode) of a line of the index, `None` where it is no memory or not merged."""
    (mode, blob, stage), name = _fields(line)
    path = place.in_vault(name)
    if mode not in _REGULAR or stage != "0" or path is None or not is_memory_name(path):
        return None
    try:
        return parse_path(path), blob, int(mode, 8)
    except UnsafePathError:
        return None


def _parted(line: bytes) -> tuple[str, str, str]:
    """(mode, blob, path) of a line of a tree."""
    (mode, _, blob), name = _fields(line)
    return mode, blob, name


def _fields(line: bytes) -> tuple[list[str], str]:
    information, _, name = line.partition(b"\t")
    return information.decode().split(), name.decode("utf-8", "surrogateescape")


def _contents(batch: bytes) -> Iterator[bytes]:
    """The objects that `git cat-file --batch` wrote, one after the other."""
    at = 0
    while at < len(batch):
        head, _, _ = batch[at : at + 200].partition(b"\n")
        start = at + len(head) + 1
        _, *kind = head.split()
        if len(kind) < 2:  # git says "missing": a clone without all objects
            yield b""
            at = start
            continue
        end = start + int(kind[1])
        yield batch[start:end]
        at = end + 1
