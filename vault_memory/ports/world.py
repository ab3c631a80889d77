"""Wall time, new ids, and being told how far a long piece of work is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

Progress = Callable[[str, int, int], None]
"""Told (what is done, how many are done, how many there are); must be cheap and must not raise."""


def no_progress(what: str, done: int, total: int) -> None:
    """For callers who do not watch."""


class Clock(Protocol):
    """Wall time."""

    def now(self) -> datetime:
        """The present, aware, in UTC."""

    def now_ns(self) -> int:
        """The present in nanoseconds since 1970, comparable with a file's mtime."""


class Ids(Protocol):
    """New memory ids."""

    def new(self, at: datetime) -> str:
        """A ULID (26 characters of Crockford base 32) for the moment `at`; never the same twice."""
