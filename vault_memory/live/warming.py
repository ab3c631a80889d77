"""Reading ahead what answers will need, once the index is up to the files, beside all else."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vault_memory.compose import Opened
from vault_memory.errors import VmemError

PAUSE = 0.005
"""Seconds between two steps: whoever asks comes first."""
GLANCE = 0.05


class Warming:
    """A thread that ends when all is read, or when it is told to."""

    def __init__(self, opened: Opened, ready: Callable[[], bool]) -> None:
        """`ready` says whether the index is up to the files for the first time."""
        self._opened = opened
        self._ready = ready
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="vmem-warming", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End it; twice is no fault, nor is it without a beginning."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ready():
            if self._stop.wait(GLANCE):
                return
        try:
            while self._opened.ports.index.warm():
                if self._stop.wait(PAUSE):
                    return
        except VmemError:  # whoever asks next is told what is the matter with the index
            return
