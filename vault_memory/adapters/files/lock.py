"""The vault's one writer at a time: a lock file that the kernel frees when its holder dies."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors
from vault_memory.adapters.files.local import ensure_local
from vault_memory.errors import LockedError

# The system call itself rather than the filelock package: that costs 40 ms of CPU to import
# (it brings asyncio along), and every command of the CLI takes this lock.
if sys.platform == "win32":
    import msvcrt

    def _try_lock(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)  # beyond the text, which others must be able to read
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


_FAR = 1 << 30
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
"""A lock file is written to, and a link that came with a clone may lead to any file."""
_TAKEN = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
_FIRST_PAUSE = 0.001
_LONGEST_PAUSE = 0.02


@dataclass
class _Grip:
    """What one process has of the lock: which thread, how deep, by which open file."""

    mutex: threading.RLock = field(default_factory=threading.RLock)
    depth: int = 0
    fd: int | None = None


class VaultLock:
    """Exclusive between processes and threads, re-entrant in a thread; `place` is the lock file.

    `command` is shown to others who find the lock taken; it must not hold what a person typed.
    """

    def __init__(self, place: Path, *, command: str = "vmem") -> None:
        self._place = os.fsencode(place.absolute())
        self._shown = str(place)
        self._command = command
        self._grip = _Grip()
        _locks.add(self)

    @contextlib.contextmanager
    def held(self, *, wait: float) -> Iterator[None]:
        """Hold it. Waits up to `wait` seconds, then raises `LockedError`; `StorageError` where
        the file can't be made."""
        grip = self._grip
        deadline = time.monotonic() + wait
        if not grip.mutex.acquire(timeout=min(max(wait, 0.0), threading.TIMEOUT_MAX)):
            raise LockedError(self._shown, wait)
        try:
            if grip.depth == 0:
                grip.fd = self._take(deadline, wait)
            grip.depth += 1
            try:
                yield
            finally:
                grip.depth -= 1
                if grip.depth == 0 and grip.fd is not None:
                    os.close(grip.fd)  # closing is releasing
                    grip.fd = None
        finally:
            grip.mutex.release()

    def holder(self) -> tuple[int, str] | None:
        """(pid, command) of who holds it now, `None` where nobody does."""
        with disk_errors(self._shown, "look at"):
            try:
                fd = os.open(self._place, os.O_RDWR | _NO_LINK)
            except FileNotFoundError:
                return None
        try:
            if self._is_ours_now(fd):
                return None
            pid, command, *_ = (*os.read(fd, 1000).decode("utf-8", "replace").split("\n"), "", "")
        finally:
            os.close(fd)
        return (int(pid), command.strip()) if pid.isdigit() else (0, "unknown")

    def _take(self, deadline: float, wait: float) -> int:
        pause = _FIRST_PAUSE
        while True:
            fd = self._open()
            try:
                if self._is_ours_now(fd):
                    self._sign(fd)
                    taken, fd = fd, -1
                    return taken
            finally:
                if fd >= 0:
                    os.close(fd)
            rest = deadline - time.monotonic()
            if rest <= 0:
                pid, _ = self.holder() or (0, "")
                raise LockedError(self._shown, wait, holder=pid or None)
            time.sleep(min(pause, rest))
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | _NO_LINK
        with disk_errors(self._shown, "lock"):
            try:
                return os.open(self._place, flags, 0o600)
            except FileNotFoundError:  # `.vmem/local/` may be deleted at any time
                ensure_local(os.path.dirname(self._place))
                return os.open(self._place, flags, 0o600)

    def _is_ours_now(self, fd: int) -> bool:
        """Take the lock if it is free; `False` if not, or if the file was deleted meanwhile."""
        with disk_errors(self._shown, "lock"):
            try:
                _try_lock(fd)
            except OSError as error:
                if error.errno in _TAKEN:
                    return False
                raise
            try:
                return os.path.samestat(os.fstat(fd), os.stat(self._place))
            except FileNotFoundError:
                return False

    def _sign(self, fd: int) -> None:
        name = f"{os.getpid()}\n{self._command}\n".encode()
        with contextlib.suppress(OSError):  # a courtesy to others; a full disk must not forbid to delete
            if os.read(fd, len(name) + 1) == name:
                return
            # Never down to nothing first: what is written after that, ext4 brings to the disk on close.
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, name)
            os.ftruncate(fd, len(name))

    def let_go(self) -> None:
        """In a forked child: the parent's lock is not ours, and must not live on through us."""
        grip, self._grip = self._grip, _Grip()
        if grip.fd is not None:
            os.close(grip.fd)
            grip.fd = None


_locks: weakref.WeakSet[VaultLock] = weakref.WeakSet()


def _let_go_of_all() -> None:
    for lock in list(_locks):
        lock.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)
