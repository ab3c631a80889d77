"""Joining what the words say with what the vectors say of each passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from vault_memory.model.bm25 import Numbers, Ranked, Weights

MEANING = 0.6
"""How far a perfect likeness in meaning alone carries; words alone carry all the way."""


class Fused(NamedTuple):
    """A passage's number and how well it fits, 0–1. `meaning` is `None` where there are no vectors."""

    number: int
    relevance: float
    keyword: float
    meaning: float | None


class Fusion(Sequence[Fused]):
    """All candidates, best first; a `Fused` is made when it is asked for, as most never are."""

    def __init__(
        self, numbers: Numbers, relevance: Weights, keyword: Weights, meaning: Weights | None
    ) -> None:
        self._numbers = numbers
        self._relevance = relevance
        self._keyword = keyword
        self._meaning = meaning

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Fused: ...

    @overload
    def __getitem__(self, at: slice) -> list[Fused]: ...

    def __getitem__(self, at: int | slice) -> Fused | list[Fused]:
        if isinstance(at, slice):
            return list(self._made(at))
        return self[at : at + 1 or None][0]

    def __iter__(self) -> Iterator[Fused]:
        return self._made(slice(None))

    def _made(self, at: slice) -> Iterator[Fused]:
        numbers = self._numbers[at].tolist()
        meaning = [None] * len(numbers) if self._meaning is None else self._meaning[at].tolist()
        return map(Fused, numbers, self._relevance[at].tolist(), self._keyword[at].tolist(), meaning)


def fuse(keyword: Ranked, meaning: Sequence[tuple[int, float]], span: tuple[float, float]) -> Fusion:
    """All passages found by words or (number, cosine) pairs, best first, equal ones by number.

    Either evidence takes away a share of the doubt that the other leaves:
    1 - (1 - keyword) * (1 - MEANING * meaning). That is the keyword score where meaning is 0 or there
    are no vectors, grows in both, and stays within 0–1. A passage that only vectors found and that
    is no more like the query than strangers are is left out. `span` is that of the embedder.
    """
    if not meaning:
        return Fusion(keyword.numbers, keyword.relevance, keyword.relevance, None)
    import numpy as np

    near = np.fromiter((number for number, _ in meaning), np.int64, len(meaning))
    like = _likeness(np.fromiter((cosine for _, cosine in meaning), np.float64, len(meaning)), span)
    near, like = near[like > 0], like[like > 0]
    numbers, place = np.unique(np.concatenate((keyword.numbers, near)), return_inverse=True)
    by_words = np.zeros(len(numbers))
    by_words[place[: len(keyword.numbers)]] = keyword.relevance
    by_meaning = np.zeros(len(numbers))
    np.maximum.at(by_meaning, place[len(keyword.numbers) :], like)
    relevance = by_words + (1 - by_words) * MEANING * by_meaning
    order = np.lexsort((numbers, -relevance))
    return Fusion(numbers[order], relevance[order], by_words[order], by_meaning[order])


def _likeness(cosines: Weights, span: tuple[float, float]) -> Weights:
    """Cosines as 0 (strangers) to 1 (paraphrases); what is no number is no likeness."""
    import numpy as np

    low, high = span
    known = np.nan_to_num(cosines, nan=low)
    if high <= low:
        return (known > low).astype(np.float64)
    return np.clip((known - low) / (high - low), 0.0, 1.0)
