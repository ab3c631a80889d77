"""Durable file writing: all bytes or none, on the disk before the name shows them."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator

from vault_memory.errors import StorageError, UnsafePathError

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "not permitted",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.ENOTDIR: "a file is where a folder should be",
    errno.EISDIR: "a folder is where the file should be",
    errno.ENXIO: "it is not a regular file",
    errno.ELOOP: "it became a link while it was being opened",
    errno.EFBIG: "it is larger than files may be here",
    errno.EMFILE: "too many open files",
    errno.ENFILE: "too many open files on this machine",
    errno.EIO: "the disk reports an input/output error",
    errno.ESTALE: "the network file system lost it",
}
_HINTS = {"read": "mend its permissions or check the disk; other files are not affected"}
_HINT_UNSAFE = "give it an ordinary name, or put the text itself there instead of a link"
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.EBADF, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS})
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_PERMISSIONS = 0o7777


def reason_of(error: OSError) -> str:
    """What the operating system's error means, in plain words."""
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


@contextlib.contextmanager
def disk_errors(path: str, wanted: str) -> Iterator[None]:
    """Turn `OSError` inside into `StorageError` for `path`; `wanted` is a verb such as "write".

    A link that leads where it must not is one as well: to whoever reads many files it is one more
    file that can't be read.
    """
    try:
        yield
    except OSError as error:
        raise StorageError(path, reason_of(error), wanted=wanted, hint=_HINTS.get(wanted)) from error
    except UnsafePathError as error:
        raise StorageError(path, error.reason, wanted=wanted, hint=_HINT_UNSAFE) from error


def sync_folder(folder: bytes) -> None:
    """Make the folder's names durable, where the file system knows how."""
    if sys.platform == "win32":  # folders can't be opened there; the journal of NTFS keeps names
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(fd)


def make_folders(folder: bytes) -> list[bytes]:
    """Create what is missing of the folder, durably; what was made, outermost first.

    When it fails halfway, what it made is gone again.
    """
    missing: list[bytes] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    made: list[bytes] = []
    try:
        for place in reversed(missing):
            with contextlib.suppress(FileExistsError):  # another writer may have been first
                os.mkdir(place)
                made.append(place)
            sync_folder(os.path.dirname(place))
    except OSError:
        remove_folders(made)
        raise
    return made


def remove_folders(made: list[bytes]) -> None:
    """Take back folders that `make_folders` made, as far as nobody put anything in."""
    for place in reversed(made):
        try:
            os.rmdir(place)
        except OSError:  # not empty any more, or gone: then it is not ours to remove
            return


def write_new(place: bytes, content: bytes, *, like: os.stat_result | None, folder: bytes) -> None:
    """Write a file that must not exist, and fsync it.

    It gets the mode and owner of `like`, or those that a new file in `folder` would have.
    """
    fd = os.open(place, _NEW, 0o644)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if sys.platform != "win32":
            _dress(fd, like, folder)
        os.fsync(fd)
        if os.fstat(fd).st_size != len(content):
            raise OSError(errno.EIO, "the disk kept only a part of it")
    finally:
        os.close(fd)


def publish_new(temp: bytes, target: bytes) -> None:
    """Give the finished file its name; raises `FileExistsError` where the name is taken."""
    try:
        os.link(temp, target)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
    else:
        os.unlink(temp)
        return
    # No hard links (exFAT, some network disks): reserve the name, then move over our own
    # reservation. A kill between the two leaves an empty file there, but never a lost one.
    os.close(os.open(target, _NEW, 0o644))
    try:
        os.replace(temp, target)
    except OSError:
        os.unlink(target)
        raise


def copy_attributes(source: bytes, target: bytes) -> None:
    """Carry over extended attributes (tags, access lists), as far as both sides allow."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            with contextlib.suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))


if sys.platform != "win32":

    def _dress(fd: int, like: os.stat_result | None, folder: bytes) -> None:
        """Owner first: changing it clears mode bits. Only root may give files away, so best effort."""
        if like is None:
            around = os.stat(folder)
            if around.st_mode & stat.S_ISGID:  # the temporary folder does not hand this group down
                with contextlib.suppress(PermissionError):
                    os.fchown(fd, -1, around.st_gid)
            return
        own = os.fstat(fd)
        if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
            try:
                os.fchown(fd, like.st_uid, like.st_gid)
            except PermissionError:
                with contextlib.suppress(PermissionError):
                    os.fchown(fd, -1, like.st_gid)
        os.fchmod(fd, like.st_mode & _PERMISSIONS)
