"""Two results of the same questions, side by side: what changed, and what chance can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vault_memory.errors import UsageError
from vault_memory.evaluate.recall.chance import FLIPS, SAMPLES, SEED, Difference, differences
from vault_memory.evaluate.recall.groups import groups
from vault_memory.evaluate.recall.result import Result
from vault_memory.evaluate.recall.saved import DIGITS, fingerprint, rounded


@dataclass(frozen=True, slots=True)
class Compared:
    """The differences B − A of each metric, by half (`None`: all questions)."""

    a: Result
    b: Result
    halves: Mapping[str | None, Mapping[str, Difference | None]]


def compare(a: Result, b: Result) -> Compared:
    """Both results, question by question. Raises `UsageError` where they are of other questions."""
    if fingerprint(a) != fingerprint(b):
        raise UsageError(
            f"A and B are results of other questions: {_told(a)}, and {_told(b)}",
            hint="run vmem eval twice with the same data set and the same --only, then compare",
        )
    halves: dict[str | None, Mapping[str, Difference | None]] = {}
    for group in groups(a.asked, by_category=False):
        before, after = ([one.asked[at].values for at in group.members] for one in (a, b))
        halves[group.half] = dict(zip(a.metrics, differences(before, after), strict=True))
    return Compared(a, b, halves)


def compared_json(compared: Compared) -> dict[str, object]:
    """The comparison as one value."""
    return {
        "a": _setup(compared.a),
        "b": _setup(compared.b),
        "bootstrap": {"samples": SAMPLES, "flips": FLIPS, "seed": SEED},
        "differences": [
            _row(half, metric, one)
            for half, by_metric in compared.halves.items()
            for metric, one in by_metric.items()
            if one is not None
        ],
    }


def _row(half: str | None, metric: str, one: Difference) -> dict[str, object]:
    return {
        "half": half,
        "metric": metric,
        "a": round(one.a, DIGITS),
        "b": round(one.b, DIGITS),
        "difference": rounded(one.difference),
        "better": one.better,
        "worse": one.worse,
        "p": round(one.p, DIGITS),
    }


def _setup(result: Result) -> dict[str, object]:
    return {
        "vmem": result.vmem,
        "name": result.name,
        "together": result.together,
        "embedder": result.embedder,
        "modes": list(result.modes),
        "settings": dict(result.settings),
        "questions": len(result.asked),
    }


def _told(result: Result) -> str:
    return f"{len(result.asked):,} of {result.name}"
