"""What stands beside a passage in its memory counts for it too, at a discount."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.model.corpus import ANSWERED, LAST_BUT_ONE, NEXT, NEXT_BUT_ONE, PREVIOUS
from vault_memory.model.scratch import give, take

if TYPE_CHECKING:
    from vault_memory.model.corpus import Bits, Corpus, Flags, Floats, Numbers
    from vault_memory.model.weights import Weights


class Lent(NamedTuple):
    """Passages (ascending), each with what a term counts for it, its neighbours' share included."""

    numbers: Numbers
    counts: Floats


class _Steps(NamedTuple):
    """From a passage to those around it: how far, the side to have, the share lent; in the order in which
    shares are added up, since sums of floats differ with it."""

    by: Numbers
    sides: Bits
    """In a column."""
    shares: Floats


def spread(
    corpus: Corpus,
    weights: Weights,
    passages: Numbers,
    own: Floats,
    counts: Floats,
    only: Flags | None = None,
) -> Lent:
    """What a term counts for each passage: its `counts` there, and shares of its `own` ones beside it.

    `passages` ascend, `own` and `counts` belong to them. `only` (by passage number) limits for which
    passages it is reckoned.
    """
    import numpy as np

    steps = _steps(weights)
    sides = corpus.sides()[passages]
    at = (sides & steps.sides).ravel().nonzero()[0]
    step = at // max(passages.size, 1)
    at -= step * passages.size
    to = passages[at] + steps.by[step]
    worth = own[at] * steps.shares[step]
    if weights.answer and _has_answers(corpus):
        answered = ((sides[at] & ANSWERED) > 0) & (steps.by[step] == 1)
        worth[answered] += own[at[answered]] * weights.answer
    if only is not None:
        inside, here = only[to], only[passages]
        to, worth, passages, counts = to[inside], worth[inside], passages[here], counts[here]
    size = corpus.lengths.size
    found, sums = take("found", size, np.bool_), take("sums", size, np.float64)
    found[to] = True
    found[passages] = True
    numbers = found[:size].nonzero()[0]
    sums[passages] = counts
    np.add.at(sums, to, worth)
    reckoned = sums[numbers]
    found[numbers] = False
    sums[numbers] = 0.0
    give("found", found)
    give("sums", sums)
    if not reckoned.all():
        numbers, reckoned = numbers[reckoned != 0.0], reckoned[reckoned != 0.0]
    return Lent(numbers, reckoned)


def lengths(corpus: Corpus, weights: Weights) -> Floats:
    """By passage number, how long a passage is with what its neighbours lend it; 0 where there is none."""

    def measure() -> Floats:
        import numpy as np

        own = np.maximum(corpus.lengths, 0)
        held = np.flatnonzero(own)
        counts = own[held].astype(np.float64)
        lent = spread(corpus, weights, held, counts, counts)
        around = np.zeros(own.size)
        around[lent.numbers] = lent.counts
        around.setflags(write=False)
        return around

    found: Floats = corpus.of_arrays(("around", weights), measure)
    return found


def mean_length(corpus: Corpus, weights: Weights) -> float:
    """The mean of `lengths` over the passages that are here; never 0."""

    def measure() -> float:
        import numpy as np

        long = lengths(corpus, weights)
        if corpus.readable is not None:
            long = np.where(corpus.readable, long, 0.0)
        return float(long.sum()) / max(corpus.count, 1) or 1.0

    found: float = corpus.kept(("mean around", weights), measure)
    return found


def _has_answers(corpus: Corpus) -> bool:
    found: bool = corpus.of_arrays("answers", lambda: bool((corpus.sides() & ANSWERED).any()))
    return found


@lru_cache(16)
def _steps(weights: Weights) -> _Steps:
    import numpy as np

    steps = [
        (1, NEXT, weights.before),
        (-1, PREVIOUS, weights.after),
        (2, NEXT_BUT_ONE, weights.before_two),
        (-2, LAST_BUT_ONE, weights.after_two),
    ]
    steps = [one for one in steps if one[2] or (one[0] == 1 and weights.answer)]
    by, sides, shares = zip(*steps, strict=True) if steps else ((), (), ())
    return _Steps(
        np.array(by, np.int64), np.array(sides, np.uint8).reshape(-1, 1), np.array(shares, np.float64)
    )
