"""Git's own sign that somebody packs, `gc.pid`: whoever holds it packs alone.

Two that pack at once can lose an object that no commit leads to yet: one takes it for safe in the other's
pack, and deletes the loose copy, while the other takes it for safe as a loose copy, and deletes its pack."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.locks import HeldError, Lock, write_finished
from vault_memory.adapters.git.scratch import Scratch

NAME, FINISHED = "gc.pid", "gc"
"""The sign, and the file that its lock is linked from."""
_BELIEVED_NS = 12 * 3600 * 10**9
"""So long git believes it."""


def is_taken(place: Place, now_ns: int) -> bool:
    """Whether somebody packs, as git judges it: not by a sign that is old, or whose process is gone."""
    path = _path(place)
    try:
        if now_ns - os.stat(path).st_mtime_ns > _BELIEVED_NS:
            return False
        with open(path, encoding="utf-8", errors="replace") as sign:
            number, host = sign.read().split()[:2]
        return host != _host() or _is_alive(int(number))
    except (OSError, ValueError):  # gone, or not yet written: git takes no heed of that either
        return False


@contextmanager
def alone(place: Place, now_ns: int) -> Iterator[Callable[[int], None] | None]:
    """Hold the sign; `None` where another does. What is given names the process that packs in our place.

    That one may outlive us: the sign holds for as long as it lives."""
    scratch = Scratch(place.commondir)
    scratch.open()
    try:
        taken = _take(place, scratch, now_ns)
    finally:
        scratch.close()
    if not taken:
        yield None
        return
    signed = [os.getpid()]

    def name(process: int) -> None:
        with suppress(OSError):  # ours is as good, as long as we live
            fresh = f"{_path(place)}.{process}"
            write_finished(fresh, _sign(process), like=_path(place))
            os.replace(fresh, _path(place))
            signed[0] = process

    try:
        yield name
    finally:
        _give_back(place, signed[0])


def _take(place: Place, scratch: Scratch, now_ns: int) -> bool:
    finished = scratch.path(FINISHED)
    write_finished(finished, _sign(os.getpid()), like=os.path.join(place.commondir, "config"))
    try:
        with Lock(finished, _path(place)) as lock:
            if is_taken(place, now_ns):
                return False
            lock.commit(finished)
    except HeldError:
        return False
    return True


def _give_back(place: Place, process: int) -> None:
    with suppress(OSError):
        with open(_path(place), "rb") as sign:
            ours = sign.read() == _sign(process)
        if ours:
            os.unlink(_path(place))


def _sign(process: int) -> bytes:
    return f"{process} {_host()}".encode()


def _path(place: Place) -> str:
    return os.path.join(place.commondir, NAME)


def _host() -> str:
    import socket  # costs what a write that never packs should not pay

    return socket.gethostname()


def _is_alive(process: int) -> bool:
    if sys.platform == "win32":  # to ask would be to end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
