"""What a run of `vmem bench` is to measure, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure: `rounds` samples of each write, refresh and new process, `queries` of each read."""

    sizes: tuple[int, ...] = (100, 1_000, 10_000)
    rounds: int = 40
    queries: int = 200
    many: int = 1_000
    seed: int = 7
    folder: Path | None = None
    """Where the vaults are made for as long as it takes; `None` is the system's place for such things."""
    vault: Path | None = None
    """A vault to ask from a new process, in place of a made-up one."""
    only: tuple[str, ...] = ()
    """The names of the probes to run; empty for all."""
    passages: int = 0
    """An index alone of so many passages is measured as well; 0 for none."""
    rest_seconds: float = 5.0
    """So long a resident is left alone to see what it costs then."""
