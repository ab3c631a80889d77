"""How much a sentence looks like a lesson, by what is to be seen of it and the table of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from vault_memory.model.capture.turn import Sort
from vault_memory.model.capture.weights import BASE, WEIGHTS

SORTS = (
    Sort.DECISION, Sort.CONSTRAINT, Sort.RESULT, Sort.CAUSE, Sort.PROCEDURE, Sort.PREFERENCE, Sort.DEAD_END,
    Sort.INTENT,
)  # fmt: skip
"""The sorts that the table tells apart, in its order."""
_UNKNOWN = (0.0,) * (len(SORTS) + 1)


@dataclass(frozen=True, slots=True)
class Table:
    """Weights for being a lesson and, after these, for being of each sort: to begin with, and by trait."""

    base: Sequence[float]
    rows: Mapping[str, Sequence[float]]

    def score(self, seen: frozenset[str]) -> float:
        """The sum for being a lesson: from 0 on it is one."""
        return fsum([self.base[0], *(self.rows.get(name, _UNKNOWN)[0] for name in seen)])

    def likeliest(self, seen: frozenset[str]) -> tuple[Sort, Sort]:
        """The sort that fits a lesson best, and the one that does among those that are no intent."""
        rows = [self.base, *(self.rows.get(name, _UNKNOWN) for name in seen)]
        sums = {sort: fsum(row[at] for row in rows) for at, sort in enumerate(SORTS, start=1)}
        ranked = sorted(SORTS, key=lambda sort: -sums[sort])
        return ranked[0], next(sort for sort in ranked if sort is not Sort.INTENT)


SHIPPED = Table(BASE, WEIGHTS)
