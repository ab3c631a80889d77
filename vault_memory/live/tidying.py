"""Packing what many small commits left in git, now and then, beside all else."""

from __future__ import annotations

import threading

from vault_memory.compose import Opened

FIRST, BETWEEN = 5.0, 60.0
"""Seconds from the first commit to the first look at how many objects there are, and from one to the next."""


class Tidying:
    """When to look, and the thread in which git packs. Asked and told by one thread; `stop` is for any."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._at: float | None = None
        self._before = float("-inf")
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def committed(self, now: float) -> None:
        """There are new objects."""
        if self._at is None:
            self._at = max(now + FIRST, self._before + BETWEEN)

    def rest(self, now: float) -> float | None:
        """Seconds until the next look, `None` where none is due."""
        return None if self._at is None else max(self._at - now, 0.0)

    def look(self, now: float) -> None:
        """Begin to pack if it is time; git itself is asked only where there is much to do."""
        if self._at is None or now < self._at or self._stop.is_set():
            return
        self._at, self._before = None, now
        if self._thread is not None and self._thread.is_alive():
            return
        thread = threading.Thread(target=self._tidy, name="vmem-tidying", daemon=True)
        thread.start()
        self._thread = thread

    def stop(self) -> None:
        """End what is under way, and begin no more: git takes back what it had not finished."""
        self._stop.set()

    def join(self) -> None:
        """Wait for that end; when the thread that asks has come to its own."""
        if self._thread is not None:
            self._thread.join()

    def _tidy(self) -> None:
        self._opened.ports.history.tidy(self._stop.is_set)
