"""What a watch has heard of and nobody has taken yet."""

from __future__ import annotations

import threading
from collections.abc import Callable

from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Hints

MOST = 2000
"""Of more files than these nothing is kept: a comparison of all is quicker than looking at each."""
MANY = "very many files changed at once"


class Heard:
    """Hints, gathered by one thread and taken by another. `told` is called after each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._paths: dict[VaultPath, bool] = {}
        self._everything: str | None = None
        self.told: Callable[[], None] = _nobody

    def path(self, path: VaultPath, *, arrived: bool) -> None:
        """That file may be another; `arrived` where it took its name as a finished one."""
        with self._lock:
            if self._everything is None:
                # What is written to after it arrived is no finished file any more; one that is replaced by
                # another finished one stays it.
                self._paths[path] = arrived and self._paths.get(path, True)
                if len(self._paths) > MOST:
                    self._forget_paths(MANY)
        self.told()

    def everything(self, reason: str) -> None:
        """Anything may have changed."""
        with self._lock:
            if self._everything is None:
                self._forget_paths(reason)
        self.told()

    def take(self) -> Hints:
        """What was heard since the last time."""
        if not self._paths and self._everything is None:  # the usual case, before every answer
            return NOTHING
        with self._lock:
            paths, everything = self._paths, self._everything
            self._paths, self._everything = {}, None
        arrived = frozenset(path for path, finished in paths.items() if finished)
        return Hints(frozenset(paths), arrived, everything)

    def _forget_paths(self, reason: str) -> None:
        self._everything = reason
        self._paths = {}


def _nobody() -> None:
    """Before anybody listens."""


NOTHING = Hints()
