"""New memory ids: ULIDs that sort by time, also within one millisecond."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from vault_memory.model.ids import RANDOM_BYTES, ulid

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_TOP_BIT = 1 << (RANDOM_BYTES * 8 - 1)


class UlidIds:
    """ULIDs of one process; `randomness(n)` gives n random bytes."""

    def __init__(self, randomness: Callable[[int], bytes] = os.urandom) -> None:
        self._randomness = randomness
        self._mutex = threading.Lock()
        self._last = (-1, 0)

    def new(self, at: datetime) -> str:
        """A ULID for the aware moment `at`; one more than the last within the same millisecond."""
        at_ms = (at - _EPOCH) // _MILLISECOND
        with self._mutex:
            last_ms, last_tail = self._last
            tail = last_tail + 1 if at_ms == last_ms else self._fresh()
            self._last = (at_ms, tail)
        return ulid(at_ms, tail.to_bytes(RANDOM_BYTES, "big"))

    def _fresh(self) -> int:
        # The top bit stays clear so that counting up never overflows.
        return int.from_bytes(self._randomness(RANDOM_BYTES), "big") & ~_TOP_BIT
