"""Preparing git's index: a copy, edited through libgit2, that is to take the live one's place."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pygit2
from pygit2.enums import FileMode
from pygit2.ffi import C, ffi

from vault_memory.adapters.git.locks import copy_mode
from vault_memory.adapters.git.recent import Key, key_of
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.trees import Entry
from vault_memory.adapters.git.working import read_working

_INTENT_TO_ADD = 1 << 13
_MASK = 0xFFFFFFFF
_SECOND = 10**9
"""Nanoseconds."""


@dataclass(frozen=True, slots=True)
class Staging:
    """What the index should hold of a path: `entry` (`None`: nothing) with the stat of its bytes.

    It is put there only where the index now holds one of `over` or, if `over_absent`, nothing:
    anything else is a person's staged work."""

    entry: Entry | None
    stat: os.stat_result | None
    over: frozenset[pygit2.Oid]
    over_absent: bool
    version: str | None = None
    """sha256 of the file that `stat` is of."""


class _StatEntry(pygit2.IndexEntry):
    """An entry that carries the file's stat, so that git sees it clean without reading the file."""

    def __init__(self, path: str, entry: Entry, stat: os.stat_result | None) -> None:
        super().__init__(path, entry.oid, FileMode(entry.mode))
        self._stat = stat

    def _to_c(self) -> Any:
        centry, path = super()._to_c()
        if self._stat is not None:
            for field, ns in (("ctime", self._stat.st_ctime_ns), ("mtime", self._stat.st_mtime_ns)):
                time = getattr(centry, field)
                seconds, time.nanoseconds = divmod(ns, _SECOND)
                time.seconds = ((seconds + 2**31) & _MASK) - 2**31
            centry.dev, centry.ino = self._stat.st_dev & _MASK, self._stat.st_ino & _MASK
            centry.uid, centry.gid = self._stat.st_uid & _MASK, self._stat.st_gid & _MASK
            centry.file_size = self._stat.st_size & _MASK
        return centry, path


class _Index(pygit2.Index):
    """An index whose failed opening can be thrown away without a complaint."""

    _index: Any = ffi.NULL


def live_index(file: str) -> pygit2.Index:
    """An index to look at. Raises `pygit2.GitError` for a shape that libgit2 can't read."""
    return _Index(file)


def staged_entry(index: pygit2.Index, path: str) -> Entry | None:
    """What an index holds of a path; an intent to add (`git add -N`) counts as nothing."""
    found = C.git_index_get_bypath(index._index, os.fsencode(path), 0)
    if found == ffi.NULL or found.flags_extended & _INTENT_TO_ADD:
        return None
    oid = pygit2.Oid(raw=bytes(ffi.buffer(ffi.addressof(found, "id"))[:]))
    return Entry(oid, int(found.mode))


def has_no_stat(index: pygit2.Index, path: str) -> bool:
    """Whether an entry says of no file what it is like, as one does that git made of a commit."""
    found = C.git_index_get_bypath(index._index, os.fsencode(path), 0)
    return found != ffi.NULL and _time(found.mtime) == 0 and found.file_size == 0


def stat_matches(index: pygit2.Index, live: str, path: str, stat: os.stat_result) -> bool:
    """Whether git, too, would take the file for unchanged since it was staged, without reading it."""
    found = C.git_index_get_bypath(index._index, os.fsencode(path), 0)
    written = key_of(live)
    if found == ffi.NULL or written is None:
        return False
    return _has_stamp(found, stat) and _time(found.mtime) < written[2]


class PreparedIndex:
    """A copy of one live index, kept between commits and read again only when the live one changed."""

    def __init__(self, gitdir: str, workdir: str) -> None:
        self.live = os.path.join(gitdir, "index")
        self.base: Key | None = None
        self._written: Key | None = None
        self._workdir = workdir
        self._copy: _Index | None = None
        self._file = ""
        self._in_doubt: dict[str, int] = {}
        """The mtime (ns) of entries whose file may have changed unseen since they were staged."""
        self._stamp = ""
        self._looked = 0
        """The file system's time (ns) before it was last made sure of those."""
        self._edited = False
        self._unmerged = False

    def load(self, scratch: Scratch) -> bool:
        """Make the copy equal to the live index; whether it had to be read.

        Raises `pygit2.GitError` for an index that libgit2 would not write back whole (split, sparse …)."""
        file = scratch.path("index")
        key = key_of(self.live)
        if self._copy is not None and not self._edited and self._file == file and self.base == key:
            return False
        self._file, self._stamp = file, scratch.path("stamp")
        self.base = self._take_copy()
        self._copy = _Index(file)
        # Asked once, since the answer takes a look at every entry; our editing makes no conflict.
        self._unmerged = self._copy.conflicts is not None
        self._edited = False
        self._in_doubt = self._racy(self._copy, self.base[2]) if self.base is not None else {}
        if self.base is not None:
            self._smudge_all(self._copy, self._in_doubt, self.base[2])
        return True

    def put(self, stagings: Mapping[str, Staging]) -> None:
        """Edit the copy. A path whose entry is a person's own is left alone."""
        copy = self._loaded()
        self._edited = True
        self._looked = _time_there(self._stamp)
        if self.base is not None:
            second = self.base[2] // _SECOND
            self._in_doubt = {path: at for path, at in self._in_doubt.items() if at // _SECOND >= second}
            self._smudge_all(copy, self._in_doubt, self.base[2])
        new: dict[str, int] = {}
        for path, staging in stagings.items():
            if self.conflicted(path):
                continue
            now = self.entry(path)
            if now is None and not staging.over_absent:
                continue
            if now is not None and now.oid not in staging.over:
                continue
            if staging.entry is not None:
                copy.add(_StatEntry(path, staging.entry, staging.stat))
                if staging.stat is not None:
                    new[path] = staging.stat.st_mtime_ns
            elif now is not None:
                copy.remove(path)
        self._smudge_all(copy, new, self._looked)
        self._in_doubt |= new

    def write(self) -> str:
        """Write the copy durably; the file that is ready to be linked as git's lock."""
        # libgit2 writes a new file and renames it, so an old second name of the live index stays whole.
        self._loaded().write()
        # As if written when its entries were looked at. Most gits compare seconds alone: to them a save since
        # then, in the second in which its entry was made, would else be no change.
        os.utime(self._file, ns=(self._looked, self._looked))
        copy_mode(self._file, self.live)
        self._written = key_of(self._file)
        return self._file

    def settle(self) -> None:
        """Call when the written copy has become the live index."""
        # Not of the live one: a person's git may have put another in place by now.
        self.base = self._written
        self._edited = False

    def entry(self, path: str) -> Entry | None:
        """What the copy holds of a path."""
        return staged_entry(self._loaded(), path)

    def conflicted(self, path: str) -> bool:
        """Whether the path has unmerged entries."""
        return self._unmerged and path in (self._loaded().conflicts or ())

    @property
    def copy(self) -> pygit2.Index:
        """The copy itself, to look at."""
        return self._loaded()

    def _loaded(self) -> _Index:
        assert self._copy is not None, "load() comes first"
        return self._copy

    def _take_copy(self) -> Key | None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._file)
        try:
            with open(self.live, "rb") as live:
                stat = os.fstat(live.fileno())
                content = live.read()
        except FileNotFoundError:
            return None
        with open(self._file, "xb") as copy:
            copy.write(content)
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def _racy(self, copy: _Index, written_ns: int) -> dict[str, int]:
        """Entries of the second in which the index was written: their files may have changed unseen since.

        Git tells those by the index's own time, which our writing moves on; most gits see seconds only."""
        index, get = copy._index, C.git_index_get_byindex
        second = written_ns // _SECOND
        found = (get(index, number) for number in range(len(copy)))
        return {
            os.fsdecode(ffi.string(entry.path)): _time(entry.mtime)
            for entry in found
            if entry.mtime.seconds >= second
        }

    def _smudge_all(self, copy: _Index, paths: Iterable[str], written_ns: int) -> None:
        """Mark those of them whose files are not as they were staged."""
        for path in paths:
            entry = C.git_index_get_bypath(copy._index, os.fsencode(path), 0)
            if entry != ffi.NULL:
                self._smudge(entry, written_ns)

    def _smudge(self, entry: Any, written_ns: int) -> None:
        if entry.file_size == 0:
            return
        place = os.path.join(self._workdir, os.fsdecode(ffi.string(entry.path)))
        if _time(entry.mtime) < written_ns and _is_as_staged(entry, place):
            return
        working = read_working(place)
        blob = bytes(ffi.buffer(ffi.addressof(entry, "id"))[:])
        if working is None or pygit2.hash(working.content).raw != blob:
            # The pointer leads into the copy itself; size 0 is git's own mark for "look at the bytes".
            ffi.cast("git_index_entry *", entry).file_size = 0


def _time_there(file: str) -> int:
    """The time (ns) as the file system tells it, which may be another machine's."""
    with open(file, "wb") as stamp:
        os.utime(stamp.fileno())
        return os.fstat(stamp.fileno()).st_mtime_ns


def _is_as_staged(entry: Any, place: str) -> bool:
    """Whether the file has the very stamp, to the nanosecond, that the entry has."""
    try:
        return _has_stamp(entry, os.lstat(place))
    except OSError:
        return False


def _has_stamp(entry: Any, stat: os.stat_result) -> bool:
    return (_time(entry.mtime), _time(entry.ctime), entry.ino, entry.file_size) == (
        stat.st_mtime_ns,
        stat.st_ctime_ns,
        stat.st_ino & _MASK,
        stat.st_size & _MASK,
    )


def _time(of: Any) -> int:
    """In nanoseconds."""
    return int(of.seconds * _SECOND + of.nanoseconds)
