"""What was measured: samples, their median and 95th percentile, and the bars they are held to."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

KEYWORD, MEANING = "keyword only", "keyword + meaning"
"""How an answer was found, as it says itself: with the embedder `none`, and with the default one."""

REMEMBER = "remember, commit included"
SEARCH = f"search, {KEYWORD}"
RECALL = f"recall of 2,000 tokens, {KEYWORD}"
MEANING_SEARCH = f"search, {MEANING}"
MEANING_RECALL = f"recall of 2,000 tokens, {MEANING}"
FLOOR = "floor: one durable write"
AFTER_WRITE = "first search after a write"
UNCHANGED = "refresh, nothing changed"
UNCHANGED_FIRST = "the same, first of a process"
ONE_CHANGED = "refresh, one file changed"
FIRST_INDEX = f"first index, {KEYWORD}"
FIRST_INDEX_MEMORY = f"{FIRST_INDEX}, peak memory"
FIRST_INDEX_VECTORS = "first index, vectors included"
FIRST_INDEX_VECTORS_MEMORY = f"{FIRST_INDEX_VECTORS}, peak memory"
EMBED = "vectors of all texts (made-up words), one core"
EMBED_CPU = f"{EMBED}, CPU"
VECTORS_SIZE = "vectors in the index, size"
CACHE_SIZE = "vectors.cache beside it, size"
COLD_CPU = f"vmem recall, a new process, {MEANING}, CPU"
COLD_WALL = f"vmem recall, a new process, {MEANING}, wall"
COLD_KEYWORD_CPU = f"vmem recall, a new process, {KEYWORD}, CPU"
COLD_KEYWORD_WALL = f"vmem recall, a new process, {KEYWORD}, wall"
BARE_CPU = "python -c pass, CPU"
BARE_WALL = "python -c pass, wall"
START = "vmem list of an empty vault, wall"
LIST = "vmem list, beyond its start"
LIST_WHERE = "vmem list --where, beyond its start"
SEARCH_TAG = "vmem search --tag, beyond its start"
TAGS = "vmem tags, beyond its start"
GC = "vmem gc of a fifth, beyond its start"
LINT = "vmem lint, beyond its start"


READS = {KEYWORD: (SEARCH, RECALL), MEANING: (MEANING_SEARCH, MEANING_RECALL)}
"""How the answer is found → the figures of search and recall."""
COLD = {KEYWORD: (COLD_KEYWORD_CPU, COLD_KEYWORD_WALL), MEANING: (COLD_CPU, COLD_WALL)}
"""The same → those of a new process."""


def growth_from(memories: int) -> str:
    """The name of the figure of how much longer a larger vault takes than one of so many."""
    return f"remember, growth from {memories:,}"


def many(count: int) -> str:
    """The name of the figure of so many memories written at once."""
    return f"remember_many of {count:,}"


SAMPLE = 25
"""Memories in the vault that a new process is asked of: about as many as a sample has."""

ANY = 0
"""Stands for vaults of any size."""

BARS: dict[tuple[str, int], float] = {
    (REMEMBER, 1_000): 12,
    (REMEMBER, 10_000): 40,
    (growth_from(1_000), 10_000): 4,
    (many(1_000), 10_000): 5,
    (SEARCH, 10_000): 3,
    (RECALL, 10_000): 6,
    (MEANING_RECALL, 10_000): 4,
    (UNCHANGED, 10_000): 250,
    (UNCHANGED_FIRST, 10_000): 250,
    (ONE_CHANGED, 10_000): 300,
    (FIRST_INDEX, 10_000): 10,
    (FIRST_INDEX_MEMORY, 10_000): 400,
    (EMBED, 10_000): 20,
    (COLD_CPU, ANY): 600,
    (COLD_KEYWORD_CPU, ANY): 600,
    (LIST, 10_000): 300,
    (LIST_WHERE, 10_000): 300,
    (SEARCH_TAG, 10_000): 300,
    (TAGS, 10_000): 300,
    (GC, 10_000): 300,
    (LINT, 10_000): 8,
}
"""(what, memories) → the most that the median may be, in the figure's unit."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured on a vault of so many memories.

    `floors` are what the least of its kind took, in milliseconds of the same run: of a write what the
    disk alone needs, of a command the start of a process.
    """

    what: str
    memories: int
    unit: str
    samples: tuple[float, ...]
    floors: tuple[float, ...] = ()

    @property
    def median(self) -> float:
        """Half of the samples are at most that."""
        return statistics.median(self.samples)

    @property
    def p95(self) -> float:
        """95 of 100 samples are at most that."""
        ordered = sorted(self.samples)
        return ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]

    @property
    def floor(self) -> float | None:
        """The median of the least of its kind, `None` where that was not asked."""
        return statistics.median(self.floors) if self.floors else None

    @property
    def ratio(self) -> float | None:
        """How many times the floor it took."""
        return self.median / self.floor if self.floor else None

    @property
    def bar(self) -> float | None:
        """The most the median may be, `None` where nothing is promised."""
        return BARS.get((self.what, self.memories), BARS.get((self.what, ANY)))

    @property
    def missed_by(self) -> float | None:
        """By how much the median is over its bar, 0 where it is kept, `None` without one."""
        return None if self.bar is None else max(0.0, self.median - self.bar)


def growth(smaller: Figure, larger: Figure) -> Figure:
    """How many times as long the larger vault takes."""
    return one(growth_from(smaller.memories), larger.memories, "×", larger.median / smaller.median)


def one(what: str, memories: int, unit: str, value: float) -> Figure:
    """A figure of a single sample."""
    return Figure(what, memories, unit, (value,))


def as_json(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """Figures for programs, numbers rounded to a thousandth."""
    return [
        {
            "what": figure.what,
            "memories": figure.memories,
            "unit": figure.unit,
            "samples": len(figure.samples),
            "least": round(min(figure.samples), 3),
            "median": round(figure.median, 3),
            "p95": round(figure.p95, 3),
            "floor_ms": None if figure.floor is None else round(figure.floor, 3),
            "times_floor": None if figure.ratio is None else round(figure.ratio, 3),
            "bar": figure.bar,
            "missed_by": None if figure.missed_by is None else round(figure.missed_by, 3),
        }
        for figure in figures
    ]
