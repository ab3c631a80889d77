"""Taking git's lock files by hard-linking a finished file of our own.

The lock then holds its content from the first instant, and after a kill its inode proves whose it
was."""

from __future__ import annotations

import errno
import os
import shutil
from typing import Self

_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV, errno.EMLINK})


class HeldError(Exception):
    """Somebody else holds the lock; `path` is the lock file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Lock:
    """A lock file beside `target` that holds what `target` is to become."""

    def __init__(self, finished: str, target: str) -> None:
        self._finished = finished
        self._target = target
        self._lock = target + ".lock"
        self._taken = False

    def __enter__(self) -> Self:
        try:
            os.link(self._finished, self._lock)
        except FileExistsError:
            raise HeldError(self._lock) from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._copy()
        self._taken = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._taken:
            self._taken = False
            os.unlink(self._lock)

    def commit(self, content: str) -> None:
        """Put a finished file in place: the lock itself, where it was linked from that, in one step with
        freeing it; any other under the lock, which stays."""
        if content != self._finished:
            os.replace(content, self._target)
            return
        os.replace(self._lock, self._target)
        self._taken = False

    def _copy(self) -> None:
        """For file systems without hard links: git's own way, without proof of ownership."""
        try:
            fd = os.open(self._lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            raise HeldError(self._lock) from None
        with os.fdopen(fd, "wb") as lock, open(self._finished, "rb") as finished:
            shutil.copyfileobj(finished, lock)
            lock.flush()
            os.fsync(lock.fileno())


def write_finished(path: str, content: bytes, *, like: str) -> None:
    """Write a file of our own, with the mode of the file `like` where that exists.

    An old one is unlinked first, never truncated: after a kill it may be the live file's second name."""
    _unlink(path)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(fd, "wb") as file:
        file.write(content)
    copy_mode(path, like)


def copy_mode(path: str, like: str) -> None:
    """Give a file the mode of another: a shared repository has modes of its own."""
    try:
        mode = os.stat(like).st_mode & 0o777
    except FileNotFoundError:
        return
    if os.stat(path).st_mode & 0o777 != mode:
        os.chmod(path, mode)


def release_if_ours(lock: str, finished: str) -> bool:
    """Delete a dead writer's lock, if it is one: the same inode as the file it was linked from."""
    try:
        if not os.path.samefile(lock, finished):
            return False
        os.unlink(lock)
    except FileNotFoundError:
        return False
    return True


def since(lock: str) -> float | None:
    """When a lock was taken, in seconds since 1970."""
    try:
        return os.lstat(lock).st_mtime
    except FileNotFoundError:
        return None


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
