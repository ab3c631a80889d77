"""The system's wall clock, the one place that reads it."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Wall time as the operating system tells it."""

    def now(self) -> datetime:
        """The present, aware, in UTC."""
        return datetime.now(UTC)

    def now_ns(self) -> int:
        """The present in nanoseconds since 1970, comparable with a file's mtime."""
        return time.time_ns()
