"""A clock that stands at a moment of the past."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from vault_memory.ports import Clock


@dataclass(frozen=True, slots=True)
class StandingClock:
    """Ages and ends are told as of `at`; whether a file's stamp can be trusted is asked of the real clock."""

    at: datetime
    real: Clock

    def now(self) -> datetime:
        """The moment at which it stands."""
        return self.at

    def now_ns(self) -> int:
        """The present, comparable with a file's mtime."""
        return self.real.now_ns()
