"""What a figure is held to: the most it may be, or the least, by its median or another measure."""

from __future__ import annotations

from dataclasses import dataclass

MEDIAN, P95, P99, RATIO = "median", "p95", "p99", "times the floor"
"""By what a figure is held to its bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bound in the figure's unit (or how many times the floor, for `RATIO`), kept up to itself."""

    limit: float
    of: str = MEDIAN
    least: bool = False
    """Whether it is the least that is enough; else the most that may be."""

    def missed_by(self, value: float) -> float:
        """By how much the value is on the wrong side, 0 where it is not."""
        return max(0.0, self.limit - value if self.least else value - self.limit)

    def text(self, unit: str) -> str:
        """For a table: `≤ 3 ms`, `p95 ≤ 300 ms`, `≥ 200 /s`, `≤ 2 × floor`."""
        sign = "≥" if self.least else "≤"
        if self.of == RATIO:
            return f"{sign} {self.limit:,g} × floor"
        return f"{'' if self.of == MEDIAN else self.of + ' '}{sign} {self.limit:,g} {unit}"
