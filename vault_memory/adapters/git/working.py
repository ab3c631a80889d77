"""Reading one file of the working tree, with what `stat` said of just those bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Working:
    """A regular file's bytes, their sha256, and the stat that holds for them."""

    content: bytes
    version: str
    stat: os.stat_result


def read_working(path: str) -> Working | None:
    """The file, or `None` where there is no regular file. Never follows a link or waits on a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    for _ in range(_TRIES):
        try:
            fd = os.open(path, flags | getattr(os, "O_BINARY", 0))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            if os.path.islink(path):
                return None
            raise
        before = os.fstat(fd)
        if not stat.S_ISREG(before.st_mode):
            os.close(fd)
            return None
        with os.fdopen(fd, "rb") as file:
            content = file.read()
            after = os.fstat(fd)
        if _same(before, after) and len(content) == after.st_size:
            return Working(content, hashlib.sha256(content).hexdigest(), after)
    return None


def look_at(path: str) -> os.stat_result | None:
    """What `stat` says of a regular file, `None` where there is none."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def same_file(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    """Whether two looks at a path, `None` where nothing was there, saw the same bytes of the same file."""
    if one is None or other is None:
        return one is other
    return one.st_ino == other.st_ino and _same(one, other)


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_mtime_ns, before.st_ctime_ns, before.st_size) == (
        after.st_mtime_ns,
        after.st_ctime_ns,
        after.st_size,
    )


def is_there(path: str) -> bool:
    """Whether anything has the name: a file, a link, a folder."""
    return os.path.lexists(path)
