"""Questions as chance draws them, and what fusion must make of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from tests.model.shelf import corpus
from vault_memory.model.asked import Asked, Day, nearness
from vault_memory.model.bm25 import Shares
from vault_memory.model.corpus import NO_DAY, Corpus
from vault_memory.model.cues import Cue
from vault_memory.model.fusion import ENOUGH, Fusion, Near, fuse
from vault_memory.model.weights import DEFAULT, Weights

SPAN = (0.1, 0.7)
NOTHING_ELSE = Asked(None, frozenset(), False, None)
PLAIN = replace(DEFAULT, voice=0, when=0, date=0, asking=0, note=0)
SIZE = 30
LONE = corpus([-1, *[5] * SIZE], [-1, *range(1, SIZE + 1)])
"""Passages 1 to 30, each of a memory of its own, of which nothing else is known."""

numbers = st.integers(1, SIZE)
shares = st.dictionaries(numbers, st.floats(0.001, 2.2), max_size=12)
cosines = st.dictionaries(numbers, st.floats(-1, 1), max_size=12)
hints = st.floats(0, 10)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Memories of a few passages, with all that a passage may show."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=SIZE, max_size=SIZE))
    memories = [memory for memory, size in enumerate(sizes, 1) for _ in range(size)][:SIZE]

    def column(one: st.SearchStrategy[int], absent: int) -> list[int]:
        return [absent, *draw(st.lists(one, min_size=SIZE, max_size=SIZE))]

    return corpus(
        [-1, *[5] * SIZE],
        [-1, *memories],
        voices=column(st.integers(0, 2), 0),
        cues=column(st.integers(0, 3), 0),
        days=column(st.sampled_from([NO_DAY, 19_000, 19_003, 19_040]), NO_DAY),
        names={1: "ann", 2: "bo"},
    )


asked = st.builds(
    Asked,
    st.sampled_from([None, 1, 2]),
    st.just(frozenset[str]()),
    st.booleans(),
    st.sampled_from([None, Day(2022, 1, 8), Day(2022, 1, None), Day(2022, None, None)]),
)
weights = st.builds(
    Weights, meaning=hints, voice=hints, when=hints, date=hints, asking=st.floats(0, 1), note=hints
)


@dataclass(frozen=True, slots=True)
class Question:
    """All that `fuse` is given."""

    shares: Mapping[int, float]
    cosines: Mapping[int, float] | None
    corpus: Corpus = LONE
    asked: Asked = NOTHING_ELSE
    weights: Weights = PLAIN
    trust: float = 0.5
    span: tuple[float, float] = SPAN
    floor: float = -1.0

    def answer(self) -> Fusion:
        held = sorted(self.shares)
        words = Shares(np.array(held, np.int64), np.array([self.shares[one] for one in held], np.float64), 3)
        near = None
        if self.cosines is not None:
            held = sorted(self.cosines)
            floats = np.array([self.cosines[one] for one in held], np.float64)
            near = Near(np.array(held, np.int64), floats, self.floor)
        return fuse(words, near, self.corpus, self.asked, self.weights, trust=self.trust, span=self.span)

    def alike(self, number: int) -> float:
        low, high = self.span
        return min(max(((self.cosines or {}).get(number, low) - low) / (high - low), 0.0), 1.0)

    def evidence(self) -> dict[int, float]:
        """By the words of `fuse`, one passage after the other."""
        near = self.cosines or {}
        found = set(self.shares) | {number for number in near if self.alike(number) > 0}
        best = max(near.values(), default=0.0)
        most = max(self.shares.values(), default=0.0)
        alone: dict[int, float] = {}
        for number in found:
            said = self.shares.get(number, 0.0) / (most or 1.0)
            if self.cosines is not None:
                said *= min(1.0, most / ENOUGH) ** 2
            if number in near and self.alike(number) > 0:
                scaled = (near[number] - self.floor) / (best - self.floor) if best > self.floor else 1.0
                said += self.trust * self.weights.meaning * min(max(scaled, 0.0), 1.0)
            alone[number] = said * self.raised(number)
        memories = self.corpus.memories
        return {
            number: said
            + self.weights.note * max(alone[one] for one in alone if memories[one] == memories[number])
            for number, said in alone.items()
        }

    def raised(self, number: int) -> float:
        told, weigh = self.asked, self.weights
        factor = 1 - weigh.asking * bool(self.corpus.cues[number] & Cue.ASKS)
        factor *= 1 + weigh.voice * (told.voice is not None and told.voice == self.corpus.voices[number])
        factor *= 1 + weigh.when * (told.when and bool(self.corpus.cues[number] & Cue.TIMED))
        if told.day is not None:
            factor *= 1 + weigh.date * float(nearness(told.day, self.corpus.days[[number]])[0])
        return float(factor)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    return Question(
        draw(shares),
        draw(st.none() | cosines),
        draw(corpora()),
        draw(asked),
        draw(weights),
        trust=draw(st.sampled_from([0.3, 0.6])),
        floor=draw(st.floats(-1, 1)),
    )


def relevance(found: Fusion) -> dict[int, float]:
    return {one.number: one.relevance for one in found}
