"""Saying of one sentence whether it is a lesson, and of which sort."""

from __future__ import annotations

import re
from collections.abc import Mapping

from vault_memory.model.capture import measured, ordered, quality
from vault_memory.model.capture.phrase import ENOUGH
from vault_memory.model.capture.phrases import BEFORE_OTHERS, LABELS, PHRASES
from vault_memory.model.capture.sentences import Sentence
from vault_memory.model.capture.turn import Role, Sort

LABELLED = 2.0
"""What it weighs that somebody called it so."""
_COLON = tuple(
    (sort, re.compile(rf"(?:{pattern})\s*[:–—]\s+(?=\S)", re.IGNORECASE)) for sort, pattern in LABELS
)
_OVER = tuple((sort, re.compile(rf"(?:{pattern})\b", re.IGNORECASE)) for sort, pattern in LABELS)
_MAY_BE_UNSURE = frozenset({Sort.INTENT, Sort.DEAD_END, Sort.PREFERENCE})


def judged(sentence: Sentence, role: Role) -> tuple[Sort, float, str] | None:
    """The sort, how much speaks for it, and the text without lead-in and label; `None` for no lesson."""
    text = quality.without_lead(sentence.text)
    label = _label(text, sentence)
    if label is not None:
        sort, text = label
        if len(text.split()) >= 3 and not quality.is_noise(f"{text} and so it is said"):
            return sort, LABELLED, text
        return None
    if quality.is_noise(text) or quality.is_question(text):
        return None
    weights = _weights(text, role)
    if quality.is_unsure(text):
        weights = {
            sort: one for sort, one in weights.items() if sort in _MAY_BE_UNSURE or _is_rule(sort, text)
        }
    best = max(BEFORE_OTHERS, key=lambda sort: (_counted(weights, sort), -BEFORE_OTHERS.index(sort)))
    return (best, weights[best], text) if weights.get(best, 0.0) >= ENOUGH else None


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
