"""A result as JSON, and read from it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_memory.errors import FormatError, NotFoundError
from vault_memory.evaluate.recall import chance
from vault_memory.evaluate.recall.fields import malformed, required
from vault_memory.evaluate.recall.groups import Group, groups
from vault_memory.evaluate.recall.result import Answerable, Asked, Result

DIGITS = 4
"""Decimals that are kept."""


def result_json(result: Result) -> dict[str, object]:
    """The result as one value: what was measured, the figures of each group, every question's values."""
    return {
        "vmem": result.vmem,
        "form": result.form,
        "name": result.name,
        "together": result.together,
        "asked_as": result.asked_as,
        "embedder": result.embedder,
        "modes": list(result.modes),
        "settings": dict(result.settings),
        "counts": dict(result.counts),
        "mixed": list(result.mixed),
        "bootstrap": {"samples": chance.SAMPLES, "seed": chance.SEED},
        "metrics": list(result.metrics),
        "groups": [_group(result, one) for one in groups(result.asked)],
        "answerable": _answerable(result.answerable),
        "questions": [_question(one) for one in result.asked],
    }


def saved_text(value: Mapping[str, Any]) -> str:
    """The value as the text of a file: a line for each question and each group."""
    lines = []
    for key, held in value.items():
        if key in {"groups", "questions"}:
            rows = ",\n".join(_compact(row) for row in held)
            lines.append(f"{_compact(key)}: [\n{rows}\n]")
        else:
            lines.append(f"{_compact(key)}: {_compact(held)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_saved(file: Path) -> Result:
    """The result that a run saved, as far as it is compared. Raises `NotFoundError`, `FormatError`."""
    hint = "vmem eval … --out FILE saves one"
    try:
        found = json.loads(file.read_bytes())
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file {file}", hint=hint) from error
    except OSError as error:
        raise NotFoundError(f"{file} can't be read: {error.strerror}", hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file} is not JSON: {error}", hint=hint) from error
    try:
        return _result(found, str(file))
    except FormatError as error:
        raise FormatError(f"{error.message}, so it is no result of vmem eval", hint=hint) from error


def fingerprint(result: Result) -> str:
    """The same for results of the same questions and metrics, and for no others."""
    told = [[one.id, one.text, one.category, one.half] for one in result.asked]
    return hashlib.sha256(_compact([list(result.metrics), told]).encode()).hexdigest()


def _group(result: Result, one: Group) -> dict[str, object]:
    spread = chance.intervals([result.asked[at].values for at in one.members])
    return {
        "half": one.half,
        "category": one.category,
        "questions": len(one.members),
        "values": {
            metric: None if found is None else rounded(found)
            for metric, found in zip(result.metrics, spread, strict=True)
        },
    }


def rounded(interval: chance.Interval) -> dict[str, float]:
    """The interval as JSON."""
    return {name: round(getattr(interval, name), DIGITS) for name in ("mean", "low", "high")}


def _answerable(found: Answerable | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "questions": found.questions,
        "strangers": found.strangers,
        "mean_own": round(found.mean_own, DIGITS),
        "mean_strangers": round(found.mean_strangers, DIGITS),
        "at_least": [
            {
                "score": one.score,
                "own": round(one.own, DIGITS),
                "strangers": round(one.strangers, DIGITS),
            }
            for one in found.thresholds
        ],
    }


def _question(one: Asked) -> dict[str, object]:
    return {
        "id": one.id,
        "question": one.text,
        "category": one.category,
        "half": one.half,
        "values": [None if value is None else round(value, DIGITS) for value in one.values],
    }


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _result(found: object, place: str) -> Result:
    metrics = tuple(str(one) for one in required(found, "metrics", list, place))
    rows = required(found, "questions", list, place)
    if not rows:
        malformed(place, "it holds no question")
    asked_as = required(found, "asked_as", str, place) if _given(found, "asked_as") else None
    return Result(
        vmem=required(found, "vmem", str, place),
        form=required(found, "form", str, place),
        name=required(found, "name", str, place),
        together=required(found, "together", bool, place),
        asked_as=asked_as,
        embedder=required(found, "embedder", str, place),
        modes=tuple(map(str, required(found, "modes", list, place))),
        settings=required(found, "settings", dict, place),
        counts={},
        mixed=(),
        metrics=metrics,
        asked=tuple(_asked(row, len(metrics), f"{place}: question {at}") for at, row in enumerate(rows, 1)),
    )


def _asked(found: object, metrics: int, place: str) -> Asked:
    values = required(found, "values", list, place)
    if len(values) != metrics:
        malformed(place, f"it has {len(values)} values for {metrics} metrics")
    return Asked(
        required(found, "id", str, place),
        required(found, "question", str, place),
        required(found, "category", str, place),
        required(found, "half", str, place) if _given(found, "half") else None,
        tuple(None if one is None else _number(one, place) for one in values),
    )


def _given(found: object, key: str) -> bool:
    return isinstance(found, dict) and found.get(key) is not None


def _number(value: object, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        malformed(f"{place}: values", "must be numbers")
    return float(value)
