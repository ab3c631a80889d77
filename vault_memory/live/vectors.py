"""Vectors for what came in: made beside everything else, in pieces, and behind it in rank."""

from __future__ import annotations

import os
import threading
from contextlib import suppress

from vault_memory.compose import Opened
from vault_memory.errors import VmemError
from vault_memory.ops.embed import Pace, embed

PIECE = Pace(0.25, 0.25)
_FEW = 64
"""A question waits for so many."""
_NICENESS = 10
_RETRY = 60.0
"""Seconds until the next try where a model, a disk or another vmem said no."""


class Vectors:
    """A thread that gives texts without a vector theirs, whenever `wanted` is called."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._changed = threading.Condition()
        self._asked = self._done = 0
        """How often it was asked for, and up to which time there is nothing to wait for any more."""
        self._again: float | None = None
        """Seconds until the next try without being asked."""
        self._stopped = False
        self._thread: threading.Thread | None = None

    def wanted(self) -> None:
        """There may be new texts. The thread begins when it is first needed."""
        if self._opened.held.embedder.reason is not None or self._stopped:
            return
        with self._changed:
            self._asked += 1
            self._changed.notify_all()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="vmem-vectors", daemon=True)
            self._thread.start()

    def soon(self, wait: float) -> None:
        """Wait within so many seconds for those of the few texts that came in last, so that a question
        about them is answered as by a process that makes them itself; not for many, nor for what failed."""
        asked = self._asked
        if self._done < asked:
            with self._changed:
                self._changed.wait_for(lambda: self._stopped or self._done >= asked, wait)

    def close(self) -> None:
        """Stop after the piece at hand."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        if hasattr(os, "setpriority"):
            with suppress(OSError):  # a courtesy; on Linux it is this thread's alone
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopped or self._done < self._asked, self._again)
                if self._stopped:
                    return
                asked = self._asked
            self._again = self._piece()
            if self._again != 0.0:
                with self._changed:
                    self._done = asked
                    self._changed.notify_all()

    def _piece(self) -> float | None:
        """Make some; seconds until the next piece, 0 where so few are left that they are waited for, and
        `None` where all are made."""
        shelf = self._opened.ports.index.shelf
        try:
            made = embed(self._opened.ports, pace=PIECE, wait=0.0).made
            if shelf.complete():
                return None
            few = len(shelf.missing(_FEW + 1)) <= _FEW
        except VmemError:  # a damaged or locked index: following tells of it, and mends it
            return _RETRY
        if not made:
            return _RETRY
        return 0.0 if few else PIECE.seconds  # as long a pause as it worked
