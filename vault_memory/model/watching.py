"""How a vault's files are followed, as of now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Watching:
    """What a process that follows a vault knows of it."""

    folders: int
    """So many are watched."""
    polled: str | None
    """Why the files are looked over from time to time instead of being watched; `None` where they are."""
    behind: str | None
    """Why the index is not up to the files now; `None` where it is."""
    refreshed: datetime | None = None
    """When the index was last brought up to them."""
    lag_seconds: float | None = None
    """How long that was after the first change that it took in, the last time that there was one."""
    first_seconds: float | None = None
    """How long the first comparison of all files took; `None` until it is over."""
    error: str | None = None
    """What the last try failed of, `None` where it did not."""
