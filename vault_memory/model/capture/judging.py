"""Saying of one sentence whether it is a lesson, and of which sort."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

from vault_memory.model.capture import measured, ordered, quality
from vault_memory.model.capture.phrase import ENOUGH
from vault_memory.model.capture.phrases import BEFORE_OTHERS, LABELS, PHRASES
from vault_memory.model.capture.scoring import SHIPPED, Table
from vault_memory.model.capture.sentences import Sentence
from vault_memory.model.capture.traits import traits
from vault_memory.model.capture.turn import Role, Sort

LABELLED = 2.0
"""What it weighs that somebody called it so."""
LONG = 14
IN_PASSING = -1.6
"""In a sentence of so many words a phrase may stand by the way: below that score it does."""
_COLON = tuple(
    (sort, re.compile(rf"(?:{pattern})\s*[:–—]\s+(?=\S)", re.IGNORECASE)) for sort, pattern in LABELS
)
_OVER = tuple((sort, re.compile(rf"(?:{pattern})\b", re.IGNORECASE)) for sort, pattern in LABELS)
_MAY_BE_UNSURE = frozenset({Sort.INTENT, Sort.DEAD_END, Sort.PREFERENCE})


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence that is a lesson: its sort, how much speaks for it, and the text without lead-in and label.
    `else_sort` is what it is where it can be no intent; `None` where its own words say what it is."""

    sort: Sort
    weight: float
    text: str
    else_sort: Sort | None = None


def judged(sentence: Sentence, role: Role, table: Table = SHIPPED) -> Judged | None:
    """A sentence that the phrases know, or that the weights of all that is to be seen of it make a lesson."""
    text = quality.without_lead(sentence.text)
    label = _label(text, sentence)
    if label is not None:
        sort, text = label
        if len(text.split()) >= 3 and not quality.is_noise(f"{text} and so it is said"):
            return Judged(sort, LABELLED, text)
        return None
    if quality.is_noise(text) or quality.is_question(text):
        return None
    seen = traits(text, role)
    score = table.score(seen)
    if score < IN_PASSING and len(text.split()) >= LONG:
        return None
    unsure = quality.is_unsure(text)
    known = _by_phrases(text, role, unsure=unsure)
    if known is not None:
        return Judged(known[0], known[1] + _share(score), text)
    if unsure or score < 0:
        return None
    best, no_intent = table.likeliest(seen)
    return Judged(best, _share(score), text, no_intent)


def _share(score: float) -> float:
    """A score as a number from 0 to 1."""
    return 1 / (1 + exp(-score))


def _by_phrases(text: str, role: Role, *, unsure: bool) -> tuple[Sort, float] | None:
    weights = _weights(text, role)
    if unsure:
        weights = {
            sort: one for sort, one in weights.items() if sort in _MAY_BE_UNSURE or _is_rule(sort, text)
        }
    best = max(BEFORE_OTHERS, key=lambda sort: (_counted(weights, sort), -BEFORE_OTHERS.index(sort)))
    return (best, weights[best]) if weights.get(best, 0.0) >= ENOUGH else None


def _counted(weights: Mapping[Sort, float], sort: Sort) -> float:
    """What is weighed against other sorts: more than enough is no better than enough."""
    return min(weights.get(sort, 0.0), ENOUGH)


def _weights(text: str, role: Role) -> dict[Sort, float]:
    found: dict[Sort, float] = {}
    for phrase in PHRASES:
        found[phrase.sort] = found.get(phrase.sort, 0.0) + phrase.weighs(text, role)
    found[Sort.RESULT] = measured.weight(text, role)
    found[Sort.PROCEDURE] = ordered.weight(text)
    return found


def _is_rule(sort: Sort, text: str) -> bool:
    """Whether a sentence with `if` says what holds, and not what might be."""
    return (
        sort in (Sort.PROCEDURE, Sort.CONSTRAINT)
        and re.search(r"\b(?:could|would|might|maybe)\b", text, re.IGNORECASE) is None
    )


def _label(text: str, sentence: Sentence) -> tuple[Sort, str] | None:
    for sort, pattern in _COLON:
        match = pattern.match(text)
        if match is not None:
            return sort, text[match.end() :].strip() if sort is not Sort.PROCEDURE else text
    if sentence.is_item and sentence.heading:
        for sort, pattern in _OVER:
            if pattern.match(sentence.heading):
                return sort, text
    return None
