"""What tests put in the world's place: a clock that is told the time, and ids that count."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from vault_memory.model.ids import ulid

NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
"""The present of every test that does not say otherwise."""


@dataclass(slots=True)
class ToldClock:
    """A clock that shows what it was told, and moves only when moved."""

    at: datetime = NOON

    def now(self) -> datetime:
        return self.at

    def now_ns(self) -> int:
        # Files carry the machine's own times, so whether a stamp can be trusted is asked of them.
        from time import time_ns

        return time_ns()

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@dataclass(slots=True)
class CountedIds:
    """ULIDs whose random part is 0, 1, 2 …"""

    count: int = field(default=0)

    def new(self, at: datetime) -> str:
        self.count += 1
        return ulid(int(at.timestamp() * 1000), self.count.to_bytes(10, "big"))
