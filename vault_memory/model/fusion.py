"""Joining what the words, the vectors and the question's own hints say of each passage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import repeat
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
MANY, SAMPLE = 4_096, 1_024
"""Of more candidates, the best are looked for among those that a sample lets expect."""


class Near(NamedTuple):
    """Passages (ascending) with the cosines of their vectors to the question's; `floor` is that of the
    last one worth a thought."""

    numbers: Numbers
    cosines: Floats
    floor: float


class Fused(NamedTuple):
    """A passage's number and how well it fits, 0–1. `meaning` is `None` where there are no vectors;
    `memory` is the number of its memory."""

    number: int
    relevance: float
    keyword: float
    meaning: float | None
    memory: int = -1


_fused: Callable[[tuple[int, float, float, float | None, int]], Fused] = partial(tuple.__new__, Fused)
"""`Fused`, made in a third of the time: a hundred of them are made for each answer."""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Candidates (ascending), what speaks for each, and what it is found by; `note` is what a memory's
    best passage counts for its others."""

    numbers: Numbers
    memories: Numbers
    """By passage number."""
    evidence: Floats
    shares: Floats
    likeness: Floats | None
    note: float


@dataclass(frozen=True, slots=True)
class _Weighed:
    """Some of the candidates, with the relevances that `sure` and `best` give, of the first of all."""

    at: Numbers
    relevance: Floats
    keyword: Floats
    sure: float
    best: float

    def bound(self, evidence: float) -> float:
        """What the relevance of so much evidence would be at most."""
        return self.sure * evidence / self.best


class Fusion:
    """All candidates; the best come first, and a `Fused` is made when it is asked for: most never are.

    Of very many only those are weighed at first that can be among the best.
    """

    def __init__(self, of: _Evidence) -> None:
        self._of = of
        self._every: _Weighed | None = None

    def __len__(self) -> int:
        return len(self._of.numbers)

    def __iter__(self) -> Iterator[Fused]:
        for portion in self.portions(FIRST):
            yield from portion

    def portions(self, size: int) -> Iterator[list[Fused]]:
        """Lists of up to `size`, best first, equal ones by number."""
        import numpy as np

        count = len(self)
        if not count:
            return
        rest = np.arange(count)
        if count > 2 * size:
            best = self._best(size)
            if best is not None:
                weighed, above = best
                yield from self._cut(weighed, above, size)
                rest = np.ones(count, np.bool_)
                rest[weighed.at[above]] = False
                rest = np.flatnonzero(rest)
        yield from self._cut(self._all(), rest, size)

    def _best(self, size: int) -> tuple[_Weighed, Numbers] | None:
        """Those as relevant as the `size`-th best or more, by their places among those weighed; `None` where
        they are more than twice as many."""
        import numpy as np

        for weighed, bound in self._likely(size):
            relevance = weighed.relevance
            if relevance.size < size:
                continue
            edge = np.partition(relevance, relevance.size - size)[relevance.size - size]
            if edge > bound:
                above = np.flatnonzero(relevance >= edge)
                return (weighed, above) if above.size <= 2 * size else None
        return None

    def _likely(self, size: int) -> Iterator[tuple[_Weighed, float]]:
        """Candidates that may be the `size` best, and a relevance that no other one reaches; at last, all.

        Nobody's evidence grows by more than the share of the greatest of all: so who is below the
        `size`-th by more than that is passed over.
        """
        import numpy as np

        of = self._of
        if len(self) > MANY and self._every is None:
            most = float(of.evidence.max())
            sample = np.sort(of.evidence[:: len(self) // SAMPLE])
            least = float(sample[max(sample.size - 2 - 2 * size * sample.size // len(self), 0)])
            # Where all are alike, rounding must not lift it above each of them.
            least = min((1 + of.note) * least - of.note * most, most)
            if least > 0:
                weighed = self._weigh(np.flatnonzero(of.evidence >= least))
                yield weighed, weighed.bound(least + of.note * most)
        yield self._all(), -1.0

    def _all(self) -> _Weighed:
        import numpy as np

        if self._every is None:
            self._every = self._weigh(np.arange(len(self)))
        return self._every

    def _weigh(self, at: Numbers) -> _Weighed:
        """Weigh these candidates. Those whose memory's best one is among them come out as if all were."""
        import numpy as np

        of = self._of
        own = of.evidence[at]
        evidence = own + of.note * _best_of_memory(own, of.memories[of.numbers[at]])
        keyword = squash(of.shares[at])
        first = int(np.argmax(evidence))
        sure = keyword[first]
        if of.likeness is not None:
            sure = sure + (1 - sure) * MEANING * of.likeness[at[first]] ** 3
        # Of no evidence at all are turns that ask, where these count for nothing.
        best = evidence[first] or 1.0
        return _Weighed(at, sure * evidence / best, keyword, float(sure), float(best))

    def _cut(self, weighed: _Weighed, places: Numbers, size: int) -> Iterator[list[Fused]]:
        import numpy as np

        numbers, relevance = self._of.numbers[weighed.at[places]], weighed.relevance[places]
        order = places[np.lexsort((numbers, -relevance))]
        for start in range(0, len(order), size):
            yield self._made(weighed, order[start : start + size])

    def _made(self, weighed: _Weighed, places: Numbers) -> list[Fused]:
        at, likeness = weighed.at[places], self._of.likeness
        numbers = self._of.numbers[at]
        columns = (
            numbers.tolist(),
            weighed.relevance[places].tolist(),
            weighed.keyword[places].tolist(),
            repeat(None, numbers.size) if likeness is None else likeness[at].tolist(),
            self._of.memories[numbers].tolist(),
        )
        return list(map(_fused, zip(*columns, strict=True)))


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
    trust *= weights.meaning
    if near is None or not trust:
        numbers, shares, likeness = words.numbers, words.shares, None
        evidence = shares / (shares.max() or 1.0) if shares.size else shares
    else:
        numbers, shares, likeness, evidence = _joined(words, near, trust, span)
    if numbers.size:
        evidence = _hinted(evidence, numbers, corpus, asked, weights)
    return Fusion(_Evidence(numbers, corpus.memories, evidence, shares, likeness, weights.note))


def _joined(
    words: Shares, near: Near, trust: float, span: tuple[float, float]
) -> tuple[Numbers, Floats, Floats, Floats]:
    """The passages that words or vectors found: their numbers, shares, likenesses and evidence."""
    import numpy as np

    alike = _likeness(near.cosines, span)
    kept = alike > 0
    by_meaning = near.numbers[kept]
    numbers, shares = words.numbers, words.shares
    best = shares.max() if shares.size else 0.0
    # The few that words did not find go between the others: no more than a hundred, whatever words found.
    at = np.searchsorted(numbers, by_meaning)
    known = np.zeros(at.size, np.bool_)
    inside = at < numbers.size
    known[inside] = numbers[at[inside]] == by_meaning[inside]
    new = ~known
    between = at[new] + np.arange(np.count_nonzero(new))
    old = np.ones(numbers.size + between.size, np.bool_)
    old[between] = False
    every, held = np.empty(old.size, np.int64), np.zeros(old.size)
    every[old], every[between] = numbers, by_meaning[new]
    held[old] = shares
    numbers, shares = every, held
    likeness, cosines = np.zeros(len(numbers)), np.zeros(len(numbers))
    at = np.searchsorted(numbers, by_meaning)
    likeness[at] = alike[kept]
    cosines[at] = _scaled(near)[kept]
    return numbers, shares, likeness, shares * _counting(best, words.asked) + trust * cosines


def _counting(best: float, asked: int) -> float:
    """What turns a share of the question's `asked` terms into evidence, where `best` is the greatest."""
    if best <= 0:
        return 0.0
    return 1 / best if asked > PASTED else float(min(1.0, best / ENOUGH) ** 2 / best)


def _hinted(evidence: Floats, numbers: Numbers, corpus: Corpus, asked: Asked, weights: Weights) -> Floats:
    """The evidence raised by what the question tells besides its words."""
    if weights.asking and _any_asks(corpus):
        evidence = evidence * (1 - weights.asking * ((corpus.cues[numbers] & Cue.ASKS) > 0))
    if asked.voice is not None and weights.voice:
        evidence = evidence * (1 + weights.voice * (corpus.voices[numbers] == asked.voice))
    if asked.when and weights.when:
        evidence = evidence * (1 + weights.when * ((corpus.cues[numbers] & Cue.TIMED) > 0))
    if asked.day is not None and weights.date:
        evidence = evidence * (1 + weights.date * nearness(asked.day, corpus.days[numbers]))
    return evidence


def _any_asks(corpus: Corpus) -> bool:
    found: bool = corpus.of_arrays("asks", lambda: bool((corpus.cues & Cue.ASKS).any()))
    return found


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
