"""What was heard of and is still to be looked at, and when the time for that has come."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Hints

QUIET = 0.08
"""Seconds of silence after which a burst of changes is over."""
MOST = 1.0
"""Seconds after which it is looked at though it goes on."""


@dataclass(frozen=True, slots=True)
class Load:
    """Hints taken to be worked off: when the first of them came, and the number of the last."""

    hints: Hints
    first: float | None
    ticket: int


class Pending:
    """Hints gathered by many threads and taken by one. Times are those of one steady clock, in seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paths: set[VaultPath] = set()
        self._arrived: set[VaultPath] = set()
        self._everything: str | None = None
        self._first: float | None = None
        self._last = 0.0
        self.ticket = 0
        """Grows with all that comes: what was taken up to a ticket is what had come by then."""

    def stir(self, now: float) -> None:
        """Something was heard; what it is, is asked of the watch when the time has come."""
        with self._lock:
            self._note(now)

    def add(self, hints: Hints, now: float, *, first: float | None = None) -> None:
        """Take these in. `first` is when they first came, where they come back untreated."""
        if not hints:
            return
        with self._lock:
            # What is here was written to, or took its name again, so only both together are finished.
            self._arrived = {
                path
                for path in self._arrived | hints.arrived
                if (path not in self._paths or path in self._arrived)
                and (path not in hints.paths or path in hints.arrived)
            }
            self._paths |= hints.paths
            self._everything = self._everything or hints.everything
            self._note(now if self._first is None else self._last)
            if first is not None and self._first is not None:
                self._first = min(self._first, first)

    def take(self) -> Load:
        """All that has come; from here on it is the taker's to work off, or to give back."""
        with self._lock:
            hints = Hints(frozenset(self._paths), frozenset(self._arrived), self._everything)
            load = Load(hints, self._first, self.ticket)
            self._paths, self._arrived, self._everything, self._first = set(), set(), None, None
            return load

    def due(self) -> float | None:
        """When it is time; `None` while there is nothing."""
        with self._lock:
            return None if self._first is None else min(self._last + QUIET, self._first + MOST)

    def is_small(self, most: int) -> bool:
        """Whether it is at most so many files, and only files."""
        with self._lock:
            return self._everything is None and 0 < len(self._paths) <= most

    def last(self) -> float:
        """When something was last heard."""
        with self._lock:
            return self._last

    def _note(self, now: float) -> None:
        if self._first is None:
            self._first = now
        self._last = now
        self.ticket += 1
