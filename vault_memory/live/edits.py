"""Committing a person's edits once they have paused, in their own name; only where that was asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from vault_memory.compose import Opened
from vault_memory.errors import VmemError
from vault_memory.model.edits import Kept
from vault_memory.ops.edits import keep_edits


def nothing() -> None:
    """All has been looked at."""


PATIENCE = 5.0
"""Seconds to wait for other writers at most."""
LOOK_AGAIN = 300.0
"""Seconds until the next look at what had to be left, though nothing was heard."""


class Edits:
    """A thread that commits, `pause` seconds after a person's last edit, all that they edited.

    `told` is given what became of it, where that is news. `settle` is called before a commit, and returns
    when all that was heard of has been looked at. Both are called from that thread.
    """

    def __init__(
        self,
        opened: Opened,
        told: Callable[[Kept], None],
        *,
        settle: Callable[[], object] = nothing,
        pause: float | None = None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened, self._told, self._settle = opened, told, settle
        self._pause: float = opened.settings["commit_edits_seconds"] if pause is None else pause
        self._steady = steady
        self._change = threading.Condition()
        self._due: float | None = None
        self._closed = False
        self._edits = 0
        """How often a person was found at work."""
        self._known: frozenset[tuple[str, str]] = frozenset()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin. What lies uncommitted already counts as edited now."""
        self.stir(False)
        self._thread = threading.Thread(target=self._run, name="vmem-edits", daemon=True)
        self._thread.start()

    def stir(self, differs: bool) -> None:
        """Something was heard of. If it `differs` from what was known, a person is at work: the pause
        begins anew; else there may be something to commit all the same."""
        with self._change:
            self._edits += differs
            if differs or self._due is None:
                self._due = self._steady() + self._pause
                self._change.notify_all()

    def close(self) -> None:
        """End. What waits for the end of its pause is committed now, so the files must still be followed.
        Twice is no fault."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._change:
                while not self._closed and (self._due is None or self._due > self._steady()):
                    self._change.wait(None if self._due is None else self._due - self._steady())
                closed, due, self._due = self._closed, self._due, None
                edits = self._edits
            try:
                self._settle()
                kept = self._kept(edits, wanted=due is not None, last=closed)
            except VmemError as error:
                kept = Kept(reason=error.message)
            if kept is not None:
                self._tell(kept)
            if closed:
                return

    def _kept(self, edits: int, *, wanted: bool, last: bool) -> Kept | None:
        """What became of it; `None` where a burst turns out to be under way, whose pause has begun anew."""
        found = self._edits != edits
        if (found and not last) or not (wanted or found):
            return None
        return keep_edits(self._opened.ports, self._opened.settings, wait=min(self._pause, PATIENCE))

    def _tell(self, kept: Kept) -> None:
        left = frozenset((str(path), why) for path, why in kept.left)
        if kept.reason is not None:
            left |= {("", kept.reason)}
        news = tuple((path, why) for path, why in kept.left if (path, why) not in self._known)
        if kept.commit is not None or left - self._known:
            self._told(replace(kept, left=news))
        self._known = left
        if left:
            with self._change:
                if self._due is None:
                    self._due = self._steady() + max(self._pause, LOOK_AGAIN if kept.left else 0.0)
