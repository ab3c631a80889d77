"""The watch of one vault: the system's own word where it gives it, else looks from time to time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from vault_memory.adapters.files.disk import network_disk
from vault_memory.adapters.files.facts import inotify_limit
from vault_memory.adapters.files.skipping import Skipping, skipping
from vault_memory.adapters.files.watch.polling import PollingWatch
from vault_memory.ports import Hints, Scan, Watch


class Breakable(Watch, Protocol):
    """A watch that may have to be given up under way."""

    broken: OSError | None
    """Why it does not serve any more; `None` while it does."""


def watch_vault(
    root: Path,
    *,
    exclude: Sequence[str],
    inbox: str,
    scan: Callable[[], Scan],
    now_ns: Callable[[], int],
) -> Watch:
    """The best watch that the vault at `root` can have. Nothing is begun yet."""
    base = os.fsencode(root)

    def rules() -> Skipping:
        return skipping(base, exclude, inbox)

    def polling(because: str) -> Watch:
        return PollingWatch(scan, because=because, now_ns=now_ns)

    disk = network_disk(root)
    if disk is not None:
        return polling(f"it lies on a network disk ({disk}), whose changes by others are not told here")
    return EitherWatch(lambda: _of_the_system(base, rules), polling)


class EitherWatch:
    """One watch, and another in its place where it can't begin or breaks under way.

    `instead` is given the reason, in words for a person."""

    def __init__(self, first: Callable[[], Breakable], instead: Callable[[str], Watch]) -> None:
        self._first = first
        self._instead = instead
        self._watch: Watch | None = None
        self._breakable: Breakable | None = None
        self._heard: Callable[[], None] = _nobody

    def start(self, heard: Callable[[], None]) -> None:
        """Begin, by whichever way it goes."""
        self._heard = heard
        try:
            first = self._first()
            first.start(heard)
        except OSError as error:
            self._change_over(error)
        else:
            self._watch = self._breakable = first

    def take(self) -> Hints:
        """What was heard since the last time."""
        watch = self._watch
        if watch is None:
            return Hints()
        hints = watch.take()
        breakable = self._breakable
        if breakable is not None and breakable.broken is not None:
            breakable.close()
            self._change_over(breakable.broken)
        return hints

    def state(self) -> tuple[int, str | None]:
        """(folders watched, why they are polled instead)."""
        return (0, None) if self._watch is None else self._watch.state()

    def _change_over(self, error: OSError) -> None:
        self._breakable = None
        self._watch = self._instead(_why(error))
        self._watch.start(self._heard)

    def close(self) -> None:
        """Stop."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()


def _of_the_system(root: bytes, rules: Callable[[], Skipping]) -> Breakable:
    if sys.platform == "linux":
        from watchdog.utils import UnsupportedLibcError

        try:
            from vault_memory.adapters.files.watch.kernel import KernelWatch
        except UnsupportedLibcError as error:
            raise OSError(errno.ENOSYS, str(error)) from error

        return KernelWatch(root, rules)
    from vault_memory.adapters.files.watch.observer import ObserverWatch

    return ObserverWatch(root, rules)


def _why(error: OSError) -> str:
    """Why the system's own watch does not serve, and what would help."""
    words = _LIMITS.get(error.errno or 0)
    return words() if words is not None else f"the system can't watch it: {error.strerror or error}"


def _few_folders() -> str:
    limit = inotify_limit("max_user_watches") or 8192
    return (
        f"the system watches no more than {limit:,} folders for one user;"
        f" raise that: sudo sysctl fs.inotify.max_user_watches={4 * limit}"
    )


def _few_instances() -> str:
    limit = inotify_limit("max_user_instances") or 128
    return (
        f"this user's programs have used up what the system has for watching ({limit} instances, or the files"
        f" that one program may open); raise it: sudo sysctl fs.inotify.max_user_instances={4 * limit}"
        ", or ulimit -n"
    )


_LIMITS: dict[int, Callable[[], str]] = {
    errno.ENOSPC: _few_folders,
    errno.EMFILE: _few_instances,
    errno.ENFILE: _few_instances,
}


def _nobody() -> None:
    """Before anybody listens."""
