"""What another git leaves in the repository's folder while it works: its locks come and go there.

`git stash` reads the index before it reads HEAD. A commit that lands between the two is to it one whose files
a person has deleted, and `git stash pop` deletes them. It takes the lock of the index for that, and need not
write the index; so only the folder's own time tells of it, and that it runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from time import sleep

QUIET = 0.05
"""Seconds without a trace after which nobody is between two steps of one command."""
LONGEST = 0.6
"""Seconds that one batch waits for that at most: some run git all the while."""
WHILE_ONE_RUNS = 3.0
"""Seconds that it waits at most where a git is seen to run."""
_PAUSE = 0.005


class Traces:
    """Of one repository's folder. `own` is its time (ns) after the last thing of ours that was done there;
    `runs` says whether another git is seen to be at work."""

    def __init__(self, folder: str, own: int | None, runs: Callable[[], bool]) -> None:
        self._folder = folder
        self.own = own
        self._runs = runs
        self._left = LONGEST
        self._left_while_one_runs = WHILE_ONE_RUNS

    def ours(self) -> None:
        """Whatever was done there until now was our doing, or is over."""
        self.own = self._last()

    def are_fresh(self, now_ns: int) -> bool:
        """Whether somebody else was at work a moment ago."""
        last = self._last()
        return last is not None and last != self.own and abs(now_ns - last) < QUIET * 1e9

    def are_there(self) -> bool:
        """Whether somebody else is at work, or has been since ours; not once all patience is used up."""
        return (self._left > 0 and self._last() != self.own) or self._one_runs()

    def wait(self) -> None:
        """Wait until nobody else is at work, nor has been for `QUIET` seconds."""
        begun = time.monotonic()
        while self._one_runs():
            sleep(_PAUSE)
            self._left_while_one_runs -= time.monotonic() - begun
            begun = time.monotonic()
        if self._left <= 0 or self._last() == self.own:
            return
        last, began = self._last(), time.monotonic()
        since = began
        while (now := time.monotonic()) - since < QUIET and now - began < self._left:
            sleep(_PAUSE)
            if (found := self._last()) != last:
                last, since = found, time.monotonic()
        self._left -= time.monotonic() - began
        self.own = last

    def _one_runs(self) -> bool:
        return self._left_while_one_runs > 0 and self._runs()

    def _last(self) -> int | None:
        try:
            return os.stat(self._folder).st_mtime_ns
        except OSError:
            return None
