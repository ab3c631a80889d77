"""What stands beside a passage in its memory counts for it too, at a discount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_memory.model.cues import Cue

if TYPE_CHECKING:
    from vault_memory.model.corpus import Corpus, Floats, Numbers
    from vault_memory.model.weights import Weights


def spread(corpus: Corpus, weights: Weights, passages: Numbers, counts: Floats, into: Floats) -> None:
    """Add to `into` (by passage number) what a term's `counts` in these passages lend their neighbours."""
    for step, share in _steps(weights):
        if not share and not (step == 1 and weights.answer):
            continue
        lent = corpus.beside(step)[passages]
        targets = passages[lent] + step
        worth = counts[lent] * share
        if step == 1 and weights.answer:
            worth += counts[lent] * (weights.answer * answers(corpus)[targets])
        into[targets] += worth


def lengths(corpus: Corpus, weights: Weights) -> Floats:
    """By passage number, how long a passage is with what its neighbours lend it; 0 where there is none."""

    def measure() -> Floats:
        import numpy as np

        own = np.maximum(corpus.lengths, 0)
        around = own.astype(np.float64)
        spread(corpus, weights, np.flatnonzero(own), own[own > 0].astype(np.float64), around)
        around.setflags(write=False)
        return around

    found: Floats = corpus.kept(("around", weights), measure)
    return found


def answers(corpus: Corpus) -> Floats:
    """By passage number, 1 where the passage right before is a question of someone else, else 0."""

    def compare() -> Floats:
        import numpy as np

        asked = (corpus.cues & Cue.ASKS) > 0
        found = np.zeros(asked.size)
        other = (corpus.voices[1:] != corpus.voices[:-1]) & (corpus.voices[1:] > 0) & (corpus.voices[:-1] > 0)
        found[1:] = asked[:-1] & corpus.beside(1)[:-1] & other
        return found

    found: Floats = corpus.kept("answers", compare)
    return found


def _steps(weights: Weights) -> tuple[tuple[int, float], ...]:
    """(from a passage so many further on, what it gets of it)."""
    return (
        (1, weights.before),
        (-1, weights.after),
        (2, weights.before_two),
        (-2, weights.after_two),
    )
