"""A record of the commits just made, to find those that a person's git overwrote unawares.

`git commit` reads the index before it locks it. One that races ours can write back an index without
our newest entry, and the next one would then delete our file from HEAD."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields
from pathlib import Path

from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.refs import final_ref_and_commit
from vault_memory.adapters.git.state import head_ref

FRESH_NS = 10_000_000_000
"""A change to the index this soon after our commit is taken for such a race, not for a wish."""

AT_ONCE_NS = 2_000_000_000
Key = tuple[int, int, int]
"""(inode, size, mtime_ns) of an index file."""

UNSEEN = ""
"""The version of a file whose bytes are not what was committed, as where a hook changed only the commit."""

_MOST = 2000
_NAME = "git-recent.json"


def key_of(path: str) -> Key | None:
    """What tells one index file from the next; `None` where there is none."""
    try:
        stat = os.stat(path)
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


@dataclass(frozen=True, slots=True)
class Recent:
    """One path's newest commit of ours: what HEAD, index and file then held."""

    path: str
    blob: str | None
    mode: int
    version: str | None
    """sha256 of the working file whose bytes were committed; `None` for a removal."""
    commit: str
    at_ns: int
    over: tuple[str, ...]
    over_absent: bool

    def fresh(self, now_ns: int, index_ns: int) -> bool:
        """Whether what is wrong now can have come from a race with this commit."""
        return abs(now_ns - self.at_ns) <= FRESH_NS or -AT_ONCE_NS <= index_ns - self.at_ns <= AT_ONCE_NS


_FIELDS = tuple(field.name for field in fields(Recent))


@dataclass(slots=True)
class Record:
    """The newest commits, and the index and tip at which all of them were last seen in order."""

    index: Key | None = None
    tip: str | None = None
    items: dict[str, Recent] = field(default_factory=dict)
    stirred: int | None = None
    """The time (ns) of the repository's folder after our last doing there."""

    def in_order(self, place: Place) -> bool:
        """Whether nothing has happened since all was well; two stats and a short read."""
        if not self.items:
            return True
        ref = head_ref(place)
        tip = final_ref_and_commit(place, ref)[1] if ref is not None else None
        return (self.index, self.tip) == (key_of(os.path.join(place.gitdir, "index")), tip)

    def forget_old(self, now_ns: int) -> None:
        """What has stood in good order for long needs no more watching."""
        self.items = {path: item for path, item in self.items.items() if now_ns - item.at_ns <= FRESH_NS}

    def add(self, new: dict[str, Recent]) -> None:
        """Put in the newest; the oldest make room."""
        for path, item in new.items():
            self.items.pop(path, None)
            self.items[path] = item
        while len(self.items) > _MOST:
            del self.items[next(iter(self.items))]


class RecordFile:
    """Keeps the record in a folder, or in memory where there is none. It only helps, so a missing or
    damaged file counts as an empty record."""

    def __init__(self, folder: Path | None) -> None:
        self._file = os.path.join(folder, _NAME) if folder is not None else None
        self._record = Record()
        self._key: tuple[int, int] | None = None

    def load(self) -> Record:
        """The record; read again only when another process has written it."""
        key = self._stat()
        if self._file is None or (key is not None and key == self._key):
            return self._record
        self._record, self._key = _read(self._file), key
        return self._record

    def save(self, record: Record) -> None:
        """Replace the file; without its folder the record stays in memory."""
        self._record = record
        if self._file is None:
            return
        items = [[getattr(item, name) for name in _FIELDS] for item in record.items.values()]
        temporary = self._file + ".new"
        try:
            with open(temporary, "w", encoding="ascii") as file:
                told = {"index": record.index, "tip": record.tip, "items": items, "stirred": record.stirred}
                file.write(json.dumps(told))
            os.replace(temporary, self._file)
        except OSError:  # its folder went, the disk is full: a commit that is made must not seem to fail
            self._file = None
            return
        self._key = self._stat()

    def leave(self, stirred: int | None) -> None:
        """Note when we left the repository's folder, so that our own doing is not taken for another git's."""
        record = self.load()
        record.stirred = stirred
        self.save(record)

    def _stat(self) -> tuple[int, int] | None:
        try:
            stat = os.stat(self._file) if self._file is not None else None
        except FileNotFoundError:
            return None
        return (stat.st_ino, stat.st_mtime_ns) if stat is not None else None


def _read(file: str) -> Record:
    try:
        with open(file, encoding="ascii") as lines:
            read = json.load(lines)
        named = (dict(zip(_FIELDS, item, strict=True)) for item in read["items"])
        items = (Recent(**item | {"over": tuple(item["over"])}) for item in named)
        index = tuple(read["index"]) if read["index"] else None
        return Record(index, read["tip"], {item.path: item for item in items}, read.get("stirred"))
    except FileNotFoundError:
        return Record()
    except (ValueError, KeyError, TypeError, IndexError):
        return Record()
