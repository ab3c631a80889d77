"""The kernel's own word on folders: one inotify instance of watchdog's, and whether it has been heard out."""

from __future__ import annotations

import array
import fcntl
import logging
import os
import termios
import threading
import time
from collections.abc import Callable

from watchdog.observers.inotify_c import InotifyFD

# A full queue is met with a full comparison, and is nothing that a person has to read of.
logging.getLogger("watchdog").addHandler(logging.NullHandler())

_PAUSE = 0.0002


class Ear(InotifyFD):
    """An instance of this watch alone, so that it ends with it. `deaf` is told when no more can be heard."""

    def __init__(self, deaf: Callable[[str], None]) -> None:
        try:
            super().__init__()
        except OSError:
            # It may have got the first of its three files, and nobody else knows of it.
            number = getattr(self, "_inotify_fd", None)
            if number is not None:
                os.close(number)
            raise
        os.set_inheritable(self._inotify_fd, False)
        self.name = "vmem-watch"
        self._deaf = deaf
        self._waiting = threading.Event()

    def run(self) -> None:
        """Hear until it is closed."""
        try:
            super().run()
        except OSError as error:
            self._deaf(error.strerror or str(error))

    def hear_out(self, wait: float) -> None:
        """Return when all that happened before this call has been heard, or after `wait` seconds."""
        deadline = time.monotonic() + wait
        while self._has_more() and self.is_alive() and time.monotonic() < deadline:
            time.sleep(_PAUSE)

    def _has_more(self) -> bool:
        # In this order: what was read out of the queue is being told until the thread waits again.
        return self._queued() > 0 or not self._waiting.is_set()

    def _queued(self) -> int:
        size = array.array("i", [0])
        try:
            fcntl.ioctl(self._inotify_fd, termios.FIONREAD, size)
        except OSError:  # closed this moment
            return 0
        return size[0]

    def _check_inotify_fd(self) -> bool:
        self._waiting.set()
        try:
            return super()._check_inotify_fd()
        finally:
            self._waiting.clear()
