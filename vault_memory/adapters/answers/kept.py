"""The `Answers` of one process: the last ones asked for, in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock

MOST_BYTES = 4_000_000
"""About a hundred recalls of 2,000 tokens: a resident is to stay small, and asks are repeated soon or not."""
MOST = 1_000


class KeptAnswers:
    """At most so many answers that take at most so many bytes together."""

    def __init__(self, most_bytes: int = MOST_BYTES, most: int = MOST) -> None:
        self._most_bytes = most_bytes
        self._most = most
        self._lock = Lock()
        self._bytes = 0
        self._answers: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()

    def get(self, question: Hashable) -> object | None:
        """The very object that was kept for the question, `None` where none is."""
        with self._lock:
            found = self._answers.get(question)
            if found is None:
                return None
            self._answers.move_to_end(question)
            return found[0]

    def keep(self, question: Hashable, answer: object, size: int) -> None:
        """Keep the answer, unless it alone is too large."""
        if size > self._most_bytes:
            return
        with self._lock:
            old = self._answers.pop(question, None)
            self._bytes += size - (old[1] if old is not None else 0)
            self._answers[question] = answer, size
            while self._bytes > self._most_bytes or len(self._answers) > self._most:
                _, (_, gone) = self._answers.popitem(last=False)
                self._bytes -= gone
