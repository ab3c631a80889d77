"""What was measured: samples, their median and percentiles, and the bars they are held to."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from vault_memory.evaluate.bar import MEDIAN, P95, P99, RATIO, Bar
from vault_memory.evaluate.live import rows as live

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

ANY = live.ANY
"""Stands for vaults of any size."""

DURABLE, START_OF_A_PROCESS = live.DURABLE, "vmem list of an empty vault"
"""What a write and a command stand beside."""

_PLAIN: dict[tuple[str, int], float] = {
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
"""Those of a vault that nobody keeps open, each the most that a median may be."""

BARS = {key: Bar(limit) for key, limit in _PLAIN.items()} | live.BARS
"""(what, memories) → what the figure is held to, in its unit."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured on a vault of so many memories.

    `floors` are what the least of its kind took, in the figure's unit and of the same run; `floor_is`
    says what that was. Without samples `missing` says why.
    """

    what: str
    memories: int
    unit: str
    samples: tuple[float, ...]
    floors: tuple[float, ...] = ()
    floor_is: str = ""
    missing: str = ""

    @property
    def median(self) -> float:
        """Half of the samples are at most that."""
        return statistics.median(self.samples)

    @property
    def p95(self) -> float:
        """95 of 100 samples are at most that."""
        return self._share(95)

    @property
    def p99(self) -> float:
        """99 of 100 samples are at most that."""
        return self._share(99)

    @property
    def floor(self) -> float | None:
        """The median of the least of its kind, `None` where that was not asked."""
        return statistics.median(self.floors) if self.floors else None

    @property
    def ratio(self) -> float | None:
        """How many times the floor it took."""
        return self.median / self.floor if self.floor and self.samples else None

    @property
    def bar(self) -> Bar | None:
        """What it is held to, `None` where nothing is promised."""
        return BARS.get((self.what, self.memories), BARS.get((self.what, ANY)))

    @property
    def missed_by(self) -> float | None:
        """By how much it is on the wrong side of its bar, 0 where it is kept; `None` without a bar, and
        where nothing was measured."""
        held = {MEDIAN: self.median, P95: self.p95, P99: self.p99, RATIO: self.ratio} if self.samples else {}
        value = held.get(self.bar.of) if self.bar else None
        return None if self.bar is None or value is None else self.bar.missed_by(value)

    def _share(self, of_100: int) -> float:
        ordered = sorted(self.samples)
        return ordered[min(len(ordered) - 1, len(ordered) * of_100 // 100)]


def growth(smaller: Figure, larger: Figure) -> Figure:
    """How many times as long the larger vault takes."""
    return one(growth_from(smaller.memories), larger.memories, "×", larger.median / smaller.median)


def one(what: str, memories: int, unit: str, value: float) -> Figure:
    """A figure of a single sample."""
    return Figure(what, memories, unit, (value,))


def of(row: live.Row, memories: int, samples: Sequence[float], floors: Sequence[float] = ()) -> Figure:
    """A figure of the table of a live vault."""
    return Figure(row.what, memories, row.unit, tuple(samples), tuple(floors), row.floor if floors else "")


def unmeasured(row: live.Row, memories: int, why: str) -> Figure:
    """The same where it could not be measured."""
    return Figure(row.what, memories, row.unit, (), missing=why)


def grown(figure: Figure, figures: Sequence[Figure]) -> tuple[float, int] | None:
    """(how many times that of the next smaller vault, how many memories that has); `None` without one."""
    smaller = [
        one
        for one in figures
        if one.what == figure.what and one.memories < figure.memories and one.samples and one.median > 0
    ]
    if not smaller or not figure.samples or figure.median < 0:
        return None
    before = max(smaller, key=lambda one: one.memories)
    return figure.median / before.median, before.memories


def as_json(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """Figures for programs, numbers rounded to a thousandth."""
    return [
        {
            "what": figure.what,
            "memories": figure.memories,
            "unit": figure.unit,
            "samples": len(figure.samples),
            **_spread(figure),
            "floor": _rounded(figure.floor),
            "floor_is": figure.floor_is or None,
            "times_floor": _rounded(figure.ratio),
            "growth": _rounded(growing[0]) if (growing := grown(figure, figures)) else None,
            "growth_from": growing[1] if growing else None,
            "bar": figure.bar.limit if figure.bar else None,
            "bar_of": figure.bar.of if figure.bar else None,
            "bar_is": ("at least" if figure.bar.least else "at most") if figure.bar else None,
            "missed_by": _rounded(figure.missed_by),
            "not_measured": figure.missing or None,
        }
        for figure in figures
    ]


def _spread(figure: Figure) -> dict[str, float | None]:
    if not figure.samples:
        return dict.fromkeys(("least", "median", "p95", "p99"))
    return {
        "least": _rounded(min(figure.samples)),
        "median": _rounded(figure.median),
        "p95": _rounded(figure.p95),
        "p99": _rounded(figure.p99),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
