"""What chance can do to a mean over questions: bootstrap intervals, and a test of paired differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vault_memory.evaluate.recall.result import Values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

SEED = 7
SAMPLES = 2_000
FLIPS = 10_000
"""Draws of the bootstrap, and of the test that turns the signs of differences by chance."""
_AT_A_TIME = 250
_ALMOST = 1e-9
"""What sums of the same numbers in another order may differ by."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over questions, and the middle 95 % of the means of questions drawn anew."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one metric over the same questions: both means, the mean difference, and what chance can do.

    `better` and `worse` count the questions whose value rose and fell; `p` is the share of random
    turns of the differences' signs that give as large a mean.
    """

    a: float
    b: float
    difference: Interval
    better: int
    worse: int
    p: float


def intervals(rows: Sequence[Values]) -> list[Interval | None]:
    """For each metric its mean over the questions that have a value; `None` where none has."""
    values, there = _matrix(rows)
    return _intervals(values, there)


def differences(a: Sequence[Values], b: Sequence[Values]) -> list[Difference | None]:
    """For each metric B's values less A's of the same questions, in the same order."""
    before, there = _matrix(a)
    after, there_too = _matrix(b)
    there = there * there_too
    change = (after - before) * there
    counts = there.sum(axis=0)
    found: list[Difference | None] = []
    spread = _intervals(change, there)
    chances = _chances(change)
    for at, interval in enumerate(spread):
        if interval is None:
            found.append(None)
            continue
        of_a, of_b = (float((one[:, at] * there[:, at]).sum() / counts[at]) for one in (before, after))
        rose, fell = (int((change[:, at] * sign > _ALMOST).sum()) for sign in (1, -1))
        found.append(Difference(of_a, of_b, interval, rose, fell, chances[at]))
    return found


def _matrix(rows: Sequence[Values]) -> tuple[Matrix, Matrix]:
    """The values (0 where there is none), and 1 where there is one; shape (questions, metrics)."""
    import numpy as np

    there = np.array([[one is not None for one in row] for row in rows], dtype=np.float64)
    values = np.array([[0.0 if one is None else one for one in row] for row in rows], dtype=np.float64)
    return values, there


def _intervals(values: Matrix, there: Matrix) -> list[Interval | None]:
    import numpy as np

    counts = there.sum(axis=0)
    questions = len(values)
    sums, drawn = [], []
    for chance, many in _portions(SAMPLES):
        picked = chance.integers(0, questions, (many, questions))
        # How often each question was drawn: one product then sums all metrics.
        picked += questions * np.arange(many)[:, np.newaxis]
        times = np.bincount(picked.ravel(), minlength=many * questions).reshape(many, questions)
        sums.append(times @ (values * there))
        drawn.append(times @ there)
    total, held = np.concatenate(sums), np.concatenate(drawn)
    found: list[Interval | None] = []
    for at, count in enumerate(counts):
        usable = held[:, at] > 0
        if not count or not usable.any():
            found.append(None)
            continue
        low, high = np.percentile(total[usable, at] / held[usable, at], (2.5, 97.5))
        mean = (values[:, at] * there[:, at]).sum() / count
        found.append(Interval(float(mean), float(low), float(high)))
    return found


def _chances(change: Matrix) -> list[float]:
    """For each metric the share of turns of its differences' signs with as large a sum, theirs included."""
    import numpy as np

    seen = np.abs(change.sum(axis=0)) - _ALMOST
    as_large = np.zeros(change.shape[1])
    for chance, many in _portions(FLIPS):
        signs = 2.0 * chance.integers(0, 2, (many, len(change))) - 1
        as_large += (np.abs(signs @ change) >= seen).sum(axis=0)
    return [float(one) for one in (as_large + 1) / (FLIPS + 1)]


def _portions(draws: int) -> Iterator[tuple[Any, int]]:
    """The generator, from the same seed each time, and how many to draw next: memory stays small."""
    import numpy as np

    chance = np.random.default_rng(SEED)
    for start in range(0, draws, _AT_A_TIME):
        yield chance, min(_AT_A_TIME, draws - start)
