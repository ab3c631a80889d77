"""What came of a run: the values of every question, and what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Values = Sequence[float | None]
"""The values of one question in the order of the run's metrics; `None` where there is nothing to find."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what it got."""

    id: str
    text: str
    category: str
    half: str | None
    values: Values


@dataclass(frozen=True, slots=True)
class Threshold:
    """The share of questions whose best hit scores at least `score`: the vault's own, and others'."""

    score: float
    own: float
    strangers: float


@dataclass(frozen=True, slots=True)
class Answerable:
    """How the best scores of a vault's own questions lie to those of questions it can't answer."""

    questions: int
    strangers: int
    mean_own: float
    mean_strangers: float
    thresholds: tuple[Threshold, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The values of every question, with all that is needed to get them again."""

    vmem: str
    form: str
    name: str
    together: bool
    asked_as: str | None
    """The agent that asked; `None` for the person."""
    embedder: str
    modes: tuple[str, ...]
    settings: Mapping[str, object]
    """Those that differ from their defaults."""
    counts: Mapping[str, int]
    mixed: tuple[str, ...]
    """Files in which a passage holds more than one turn."""
    metrics: tuple[str, ...]
    asked: tuple[Asked, ...]
    answerable: Answerable | None = None
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """Where the time went, summed over worker processes; no part of what is saved."""
