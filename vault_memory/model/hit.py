"""What search and recall give back: scored memories, and what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.oneof import one_of
from vault_memory.model.passage import StoredPassage


class Strategy(StrEnum):
    """What recall favours; each is a row of exponents in `model/scoring.py`."""

    BALANCED = "balanced"
    RECENCY = "recency"
    IMPORTANCE = "importance"


def parse_strategy(text: object) -> Strategy:
    """The strategy of that name. Raises `UsageError`."""
    return one_of(Strategy, text, "no strategy is called")


# Those that every answer makes by the dozen are named tuples, which are made in half the time.


class Parts(NamedTuple):
    """The parts of a score, each 0–1. `meaning` is `None` where no embedder took part."""

    relevance: float
    importance: float
    recency: float
    keyword: float
    meaning: float | None = None


class Matched(NamedTuple):
    """A passage that fits the query, by its number, with a score of its own (0–1, as memories have)."""

    number: int
    score: float


class Hit(NamedTuple):
    """A memory that fits the query, with a score of 0–1.

    `passages` are those that matched, best first; in a recall, those of them that stand in the text.
    """

    entry: Entry
    score: float
    parts: Parts
    passages: tuple[StoredPassage, ...]
    superseded_by: VaultPath | None = None
    """The memory that has taken its place, which is why it scores less than its parts say."""


class Reason(StrEnum):
    """Why a memory that matched is not in the text."""

    BUDGET = "did not fit"
    DUPLICATE = "same text as another"
    EXPIRED = "expired"
    CONFLICTED = "holds merge markers"
    CONFLICT_COPY = "a conflict copy of another"
    LOW_SCORE = "below the minimum score"
    WEAK = "far below the best"
    LIMIT = "past the limit"


class Dropped(NamedTuple):
    """A memory that matched and was left out. `tokens` is what its whole text would have cost."""

    entry: Entry
    score: float
    parts: Parts | None
    reason: Reason
    tokens: int | None = None
    instead_of: str | None = None
    """For duplicates: the path of the memory shown in its place; for a conflict copy: its original."""


class Shown(StrEnum):
    """How much of a memory stands in the text."""

    WHOLE = "whole"
    PASSAGES = "passages"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Item:
    """One memory in the text of a recall: its source line and what is shown under it."""

    hit: Hit
    shown: Shown
    line: int
    """The file's line at which the shown text begins (1-based)."""
    text: str
    """The shown text as stored, before indenting; empty for `TITLE`."""
    tokens: int


@dataclass(frozen=True, slots=True)
class Recall:
    """The best memories that fit a budget. `str(recall)` is the text for a prompt."""

    query: str
    text: str
    items: tuple[Item, ...]
    tokens: int
    """The upper estimate for `text`, frame included."""
    budget: int
    omitted: tuple[Dropped, ...]
    considered: int
    """How many memories the caller may read."""
    mode: str
    """`keyword`, `keyword + meaning`, or `keyword only: <reason>`."""
    notices: tuple[str, ...] = ()
    """Anything that makes the answer less than fresh and complete, in words for a person."""
    filtered_out: int = 0
    """Where nothing is found: how many memories match the words, but not the filter."""

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The memories shown, best first."""
        return tuple(item.hit for item in self.items)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked memories without a budget."""

    query: str
    hits: tuple[Hit, ...]
    dropped: tuple[Dropped, ...]
    considered: int
    mode: str
    notices: tuple[str, ...] = ()
    filtered_out: int = 0
    """As in `Recall`."""
