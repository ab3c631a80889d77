"""A watch without the kernel's help: it looks at all files from time to time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vault_memory.adapters.files.watch.heard import Heard
from vault_memory.errors import StorageError, VaultUnreadableError
from vault_memory.model.change import FileStamp, settled
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Hints, Scan

SHARE = 0.01
"""Of one core's time looks take no more than this."""
SHORTEST = 1.0
"""Seconds between two looks at least."""
FIRST_LOOK = "the first look at the files"
UNREADABLE = "the files can't be looked at"


class PollingWatch:
    """Looks by `scan`, at most once in `shortest` seconds, and the more seldom the longer a look takes.

    `because` says why no better way is taken; `now_ns` is wall time, as files are stamped with it."""

    def __init__(
        self,
        scan: Callable[[], Scan],
        *,
        because: str,
        now_ns: Callable[[], int],
        shortest: float = SHORTEST,
        share: float = SHARE,
    ) -> None:
        self._scan = scan
        self._because = because
        self._now_ns = now_ns
        self._shortest = shortest
        self._share = share
        self._heard = Heard()
        self._stamps: dict[VaultPath, int] | None = None
        self._fresh: frozenset[VaultPath] = frozenset()
        self._folders = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, heard: Callable[[], None]) -> None:
        """Begin to look."""
        self._heard.told = heard
        self._thread = threading.Thread(target=self._run, name="vmem-poll", daemon=True)
        self._thread.start()

    def take(self) -> Hints:
        """What the looks since the last time have found."""
        return self._heard.take()

    def state(self) -> tuple[int, str | None]:
        """(folders looked at, why they are not watched)."""
        return self._folders, self._because

    def close(self) -> None:
        """Stop looking."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        pause = 0.0
        while not self._stopping.wait(pause):
            before = time.thread_time()
            self._look()
            pause = max(self._shortest, (time.thread_time() - before) / self._share)

    def _look(self) -> None:
        now_ns = self._now_ns()
        try:
            found = self._scan()
        except (VaultUnreadableError, StorageError):
            if self._stamps is not None:
                self._heard.everything(UNREADABLE)
            self._stamps = None  # when it can be looked at again, all is compared
            return
        stamps = {stamp.path: _print(stamp) for stamp in found.stamps}
        # Within the clock's tick a file may change once more and keep its stamp.
        fresh = frozenset(stamp.path for stamp in found.stamps if not settled(stamp, now_ns))
        self._tell(stamps)
        self._stamps, self._fresh = stamps, fresh
        self._folders = len({path.rpartition("/")[0] for path in stamps})

    def _tell(self, stamps: dict[VaultPath, int]) -> None:
        known = self._stamps
        if known is None:
            self._heard.everything(FIRST_LOOK)
            return
        for path, stamp in stamps.items():
            if known.get(path) != stamp or path in self._fresh:
                self._heard.path(path, arrived=False)
        for path in known.keys() - stamps.keys():
            self._heard.path(path, arrived=False)


def _print(stamp: FileStamp) -> int:
    """A stamp in one number: a hundred thousand of them are kept."""
    return hash((stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode))
