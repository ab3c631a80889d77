"""Joining what the words, the vectors and the question's own hints say of each passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.model.asked import Asked, nearness
from vault_memory.model.bm25 import Shares, squash
from vault_memory.model.cues import Cue
from vault_memory.model.weights import DEFAULT, Weights

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus, Floats, Numbers

MEANING = 0.3
"""How far a perfect likeness in meaning alone carries; words alone carry all the way. With its cube,
questions that a store can't answer score alike with any model (docs/retrieval.md)."""
ENOUGH = 0.5
"""The share of a question's words that the best match in words has to hold for words to count in full
beside meaning. Below it they count by the square: a common word alone crowds out no paraphrase."""
PASTED = 30
"""More terms than that are no question but a text, a log perhaps, that has one telling word."""
FIRST = 512
"""So many of the best are found without sorting all the others."""


class Near(NamedTuple):
    """Passages (ascending) with the cosines of their vectors to the question's; `floor` is that of the
    last one worth a thought."""

    numbers: Numbers
    cosines: Floats
    floor: float


class Fused(NamedTuple):
    """A passage's number and how well it fits, 0–1. `meaning` is `None` where there are no vectors."""

    number: int
    relevance: float
    keyword: float
    meaning: float | None


class Fusion:
    """All candidates; the best come first, and a `Fused` is made when it is asked for: most never are."""

    def __init__(self, numbers: Numbers, relevance: Floats, keyword: Floats, meaning: Floats | None) -> None:
        self._numbers = numbers
        self._relevance = relevance
        self._keyword = keyword
        self._meaning = meaning

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Fused]:
        for portion in self.portions(FIRST):
            yield from portion

    def portions(self, size: int) -> Iterator[list[Fused]]:
        """Lists of up to `size`, best first, equal ones by number."""
        import numpy as np

        rest = np.arange(len(self._numbers))
        if len(rest) > 2 * size:
            edge = np.partition(self._relevance, len(rest) - size)[len(rest) - size]
            above = self._relevance >= edge
            if np.count_nonzero(above) <= 2 * size:
                yield from self._cut(np.flatnonzero(above), size)
                rest = np.flatnonzero(~above)
        yield from self._cut(rest, size)

    def _cut(self, at: Numbers, size: int) -> Iterator[list[Fused]]:
        order = self._sorted(at)
        for start in range(0, len(order), size):
            yield self._made(order[start : start + size])

    def _sorted(self, at: Numbers) -> Numbers:
        import numpy as np

        found: Numbers = at[np.lexsort((self._numbers[at], -self._relevance[at]))]
        return found

    def _made(self, at: Numbers) -> list[Fused]:
        numbers = self._numbers[at].tolist()
        meaning = [None] * len(numbers) if self._meaning is None else self._meaning[at].tolist()
        return list(map(Fused, numbers, self._relevance[at].tolist(), self._keyword[at].tolist(), meaning))


def fuse(
    words: Shares,
    near: Near | None,
    corpus: Corpus,
    asked: Asked,
    weights: Weights = DEFAULT,
    *,
    trust: float,
    span: tuple[float, float],
) -> Fusion:
    """All passages found by words or by vectors, with their relevance.

    The order is that of the evidence: the share of the best match in words (if that is one), what the
    embedder is trusted with of the best likeness, both raised by the hints of the question. How relevant the
    first of them is, words and likeness say by themselves: so a relevance means the same for every
    question and model. A passage that only vectors found and that is no more like the question than
    strangers are is left out.
    """
    import numpy as np

    trust *= weights.meaning
    if near is None or not trust:
        numbers, shares, likeness = words.numbers, words.shares, None
        evidence = shares / (shares.max() or 1.0) if shares.size else shares
    else:
        alike = _likeness(near.cosines, span)
        kept = alike > 0
        found = np.zeros(corpus.lengths.size, np.bool_)
        found[words.numbers] = found[near.numbers[kept]] = True
        numbers = np.flatnonzero(found)
        shares, likeness, cosines = (np.zeros(len(numbers)) for _ in range(3))
        shares[np.searchsorted(numbers, words.numbers)] = words.shares
        at = np.searchsorted(numbers, near.numbers[kept])
        likeness[at] = alike[kept]
        cosines[at] = _scaled(near)[kept]
        best = shares.max() if shares.size else 0.0
        evidence = shares * _counting(best, words.asked) + trust * cosines
    if not numbers.size:
        return Fusion(numbers, evidence, evidence, likeness)
    evidence = _hinted(evidence, numbers, corpus, asked, weights)
    evidence = evidence + weights.note * _best_of_memory(evidence, corpus.memories[numbers])
    keyword = squash(shares)
    first = int(np.argmax(evidence))
    sure = keyword[first]
    if likeness is not None:
        sure = sure + (1 - sure) * MEANING * likeness[first] ** 3
    # Of no evidence at all are turns that ask, where these count for nothing.
    return Fusion(numbers, sure * evidence / (evidence[first] or 1.0), keyword, likeness)


def _counting(best: float, asked: int) -> float:
    """What turns a share of the question's `asked` terms into evidence, where `best` is the greatest."""
    if best <= 0:
        return 0.0
    return 1 / best if asked > PASTED else float(min(1.0, best / ENOUGH) ** 2 / best)


def _hinted(evidence: Floats, numbers: Numbers, corpus: Corpus, asked: Asked, weights: Weights) -> Floats:
    """The evidence raised by what the question tells besides its words."""
    cues = corpus.cues[numbers]
    evidence = evidence * (1 - weights.asking * ((cues & Cue.ASKS) > 0))
    if asked.voice is not None and weights.voice:
        evidence = evidence * (1 + weights.voice * (corpus.voices[numbers] == asked.voice))
    if asked.when and weights.when:
        evidence = evidence * (1 + weights.when * ((cues & Cue.TIMED) > 0))
    if asked.day is not None and weights.date:
        evidence = evidence * (1 + weights.date * nearness(asked.day, corpus.days[numbers]))
    return evidence


def _best_of_memory(evidence: Floats, memories: Numbers) -> Floats:
    """For each passage the greatest evidence of its memory; those of one memory stand side by side."""
    import numpy as np

    starts = np.concatenate(([0], np.flatnonzero(memories[1:] != memories[:-1]) + 1))
    found: Floats = np.repeat(
        np.maximum.reduceat(evidence, starts), np.diff(np.append(starts, len(memories)))
    )
    return found


def _scaled(near: Near) -> Floats:
    """Cosines as 0 (the last one worth a thought) to 1 (the nearest)."""
    import numpy as np

    known = np.nan_to_num(near.cosines, nan=-1.0)
    floor = float(np.nan_to_num(near.floor, nan=-1.0))
    best = known.max() if known.size else 0.0
    if best <= floor:
        return np.ones(known.size)
    found: Floats = np.clip((known - floor) / (best - floor), 0.0, 1.0)
    return found


def _likeness(cosines: Floats, span: tuple[float, float]) -> Floats:
    """Cosines as 0 (strangers) to 1 (paraphrases); what is no number is no likeness."""
    import numpy as np

    low, high = span
    known = np.nan_to_num(cosines, nan=low)
    if high <= low:
        return (known > low).astype(np.float64)
    return np.clip((known - low) / (high - low), 0.0, 1.0)
