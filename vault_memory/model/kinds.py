"""Kinds of memory: default importance, how fast one fades, how long a captured one lives."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vault_memory.model.memory import DEFAULT_IMPORTANCE

DEFAULT_HALF_LIFE = 90.0
"""Days after which a memory without a known kind counts half as recent."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One row. `half_life` is in days; infinite where it never fades. `captured` is after how many days a
    memory expires that was captured from a conversation, where nobody said how long it is to live."""

    name: str
    importance: float
    half_life: float
    captured: int
    doc: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("episodic", 0.4, 14, 30, "something that happened: a run, a meeting, a conversation"),
        Kind("semantic", DEFAULT_IMPORTANCE, 180, 180, "something that is so: a fact, a definition"),
        Kind("procedural", 0.6, 365, 365, "how something is done: a recipe, a runbook"),
        Kind("decision", 0.7, 365, 365, "what was decided, and why"),
        Kind("constraint", 0.8, math.inf, 365, "what must or must never be done"),
        Kind("evidence", DEFAULT_IMPORTANCE, 90, 180, "an observation that supports or refutes something"),
        Kind("preference", 0.6, 365, 365, "how a person likes things to be"),
        Kind("intent", 0.6, 7, 14, "what is still to be done: a next action, an open question"),
    )
}


def default_importance(kind: str | None) -> float:
    """The importance of a memory of that kind that names none."""
    row = KINDS.get(kind.casefold()) if kind else None
    return row.importance if row else DEFAULT_IMPORTANCE


def captured_days(kind: str | None) -> int:
    """After how many days a captured memory of that kind expires; of an unknown kind, as a fact does."""
    row = KINDS.get(kind.casefold()) if kind else None
    return (row or KINDS["semantic"]).captured


def half_life_days(kind: str | None) -> float:
    """Days until a memory of that kind counts half as recent; infinite for never."""
    row = KINDS.get(kind.casefold()) if kind else None
    return row.half_life if row else DEFAULT_HALF_LIFE
