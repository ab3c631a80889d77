"""A writer's own folder inside the git directory, and what a killed writer left of one.

Its lock file is held by `flock` for as long as the writer lives, so whether an owner lives can be
proved without trusting process numbers."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PREFIX = "vmem-"
_OWNER = "owner"


class Scratch:
    """One folder `vmem-<pid>-<token>` in the common git directory, made and removed with each use."""

    def __init__(self, commondir: str) -> None:
        self.pid = os.getpid()
        self._commondir = commondir
        self._owner = -1
        self.name = self._new_name()

    def _new_name(self) -> str:
        return f"{PREFIX}{self.pid}-{secrets.token_hex(4)}"

    @property
    def folder(self) -> str:
        """The folder itself."""
        return os.path.join(self._commondir, self.name)

    def path(self, name: str) -> str:
        """A file's place in it."""
        return os.path.join(self.folder, name)

    def open(self) -> None:
        """Make the folder and hold it."""
        while True:
            try:
                os.mkdir(self.folder)
            except FileExistsError:  # what an earlier use could not remove is for a sweep to remove
                self.name = self._new_name()
                continue
            # Until the lock is held, a sweeper may take the folder for an abandoned one.
            try:
                owner = os.open(self.path(_OWNER), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
            except FileNotFoundError:
                continue
            if hold(owner, wait=True) and os.fstat(owner).st_nlink > 0:
                self._owner = owner
                return
            os.close(owner)
            shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Remove the folder; others may sweep it from here on."""
        remove_tree(self.folder)
        os.close(self._owner)
        self._owner = -1


def hold(fd: int, *, wait: bool) -> bool:
    """Take the exclusive lock of an open file; `False` where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            raise
        return False
    return True


def any_left(commondir: str) -> bool:
    """Whether any scratch folder stands, of a live writer or a dead one."""
    return bool(_names(commondir))


def folders(commondir: str) -> list[str]:
    """The scratch folders of live writers and dead ones."""
    return [os.path.join(commondir, name) for name in _names(commondir)]


@contextmanager
def abandoned(commondir: str) -> Iterator[list[str]]:
    """The scratch folders whose owner is dead, held against other sweepers inside the block."""
    owners: list[int] = []
    folders: list[str] = []
    try:
        for name in _names(commondir):
            folder = os.path.join(commondir, name)
            try:
                fd = os.open(os.path.join(folder, _OWNER), os.O_RDWR)
            except FileNotFoundError:
                _remove_ownerless(folder)
                continue
            if hold(fd, wait=False) and os.fstat(fd).st_nlink > 0:
                owners.append(fd)
                folders.append(folder)
            else:
                os.close(fd)
        yield folders
    finally:
        for fd in owners:
            os.close(fd)


def begun_ns(folder: str) -> int:
    """When the writer of a scratch folder began to use it, in nanoseconds since 1970."""
    return os.stat(os.path.join(folder, _OWNER)).st_mtime_ns


def remove_tree(folder: str) -> None:
    """Delete a scratch folder, its owner file last: while that stands, what else is there is owned."""
    for name in _listed(folder):
        if name == _OWNER:
            continue
        path = os.path.join(folder, name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            _unlink(path)
    _unlink(os.path.join(folder, _OWNER))
    _remove_empty(folder)


def _remove_ownerless(folder: str) -> None:
    """Remove a folder that no living writer works in.

    The owner file is made first and removed last. So an empty folder's maker was killed before, or is
    about to make it and will try again; what lies in one without it came from a git that outlived its
    writer."""
    names = _listed(folder)
    if _OWNER not in names:
        for name in names:
            _unlink(os.path.join(folder, name))
    _remove_empty(folder)


def _names(commondir: str) -> list[str]:
    with os.scandir(commondir) as entries:
        return sorted(entry.name for entry in entries if entry.name.startswith(PREFIX) and entry.is_dir())


def _listed(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _remove_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
