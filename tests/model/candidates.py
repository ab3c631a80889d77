"""Memories ready to be shown, cut into passages as the index would have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from vault_memory.model.boxing import weight_of
from vault_memory.model.budget import Found
from vault_memory.model.excerpt import joined
from vault_memory.model.hit import Hit, Matched, Parts
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import StoredPassage, cut
from vault_memory.model.prompt import Frame
from vault_memory.model.scale import Scale

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
ID = "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"


def entry(
    title: str = "NVDA RSI rule",
    *,
    path: str = "shared/market/nvda-rsi-rule.md",
    id: str | None = ID,  # noqa: A002 - the field's own name
    agent: str | None = "akashi",
    dated: datetime | None = NOW,
) -> Entry:
    return Entry(
        VaultPath(path),
        "0" * 64,
        id,
        title,
        0.5,
        (),
        (),
        (),
        None,
        False,
        agent,
        dated,
        None,
        dated,
        None,
        0,
        False,
        {},
    )


@dataclass(frozen=True)
class Candidate:
    """A memory that fits the query, its passages, and which of them fit (by ordinal, best first)."""

    hit: Hit
    passages: tuple[StoredPassage, ...]
    matched: tuple[Matched, ...]

    @property
    def body(self) -> str:
        return joined(self.passages)


def candidate(
    body: str,
    *,
    title: str = "NVDA RSI rule",
    path: str = "shared/market/nvda-rsi-rule.md",
    id: str | None = ID,  # noqa: A002 - the field's own name
    agent: str | None = "akashi",
    matched: Sequence[int] = (),
    scores: Sequence[float] = (),
    first_line: int = 10,
) -> Candidate:
    """A memory whose passages number `matched` (from 0, all where none is named) fit the query, best first.

    Their scores are 0.8 where none are given.
    """
    passages = cut(body, first_line)
    stored = tuple(StoredPassage(at, path, passage, len(passages)) for at, passage in enumerate(passages))
    best = [at for at in matched if at < len(stored)] or range(len(stored))
    fits = tuple(Matched(at, scores[place] if scores else 0.8) for place, at in enumerate(best))
    parts = Parts(0.9, 0.5, 1.0, 0.9)
    hit = Hit(entry(title, path=path, id=id, agent=agent), fits[0].score, parts, ())
    return Candidate(hit, stored, fits)


class Shelf:
    """The passages of some memories, numbered on as an index would have them; it notes what is read."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.read: list[int] = []
        self._by_number: dict[int, StoredPassage] = {}
        self.matched: dict[VaultPath, tuple[Matched, ...]] = {}
        for one in candidates:
            first = len(self._by_number)
            assert one.hit.entry.path not in self.matched
            for at, stored in enumerate(one.passages):
                self._by_number[first + at] = replace(stored, number=first + at)
            self.matched[one.hit.entry.path] = tuple(
                Matched(first + number, score) for number, score in one.matched
            )

    def weigh(self, scale: Scale) -> None:
        """Note what each passage weighs, as an index does."""
        for number, stored in self._by_number.items():
            self._by_number[number] = replace(stored, weight=weight_of(stored.passage.text, scale))

    def passages(self, numbers: Iterable[int]) -> dict[int, StoredPassage]:
        asked = list(numbers)
        self.read += asked
        return {number: self._by_number[number] for number in asked}

    def passages_of(self, path: VaultPath) -> list[StoredPassage]:
        return [stored for stored in self._by_number.values() if stored.path == path]


def found(candidates: Sequence[Candidate]) -> Found:
    """What a ranking would give: the memories, best first."""
    shelf = Shelf(candidates)
    return Found([one.hit for one in candidates], shelf.matched, shelf)


def frame(query: str = "NVDA risk", considered: int = 41) -> Frame:
    return Frame(query, considered, NOW, UTC)
