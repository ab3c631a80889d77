"""Recall checks as JSON."""

from __future__ import annotations

from vault_memory.model.recallcheck.check import FILE
from vault_memory.model.recallcheck.verdict import Broken, CheckAdded, CheckReport, CheckResult
from vault_memory.model.recallcheck.words import sentence
from vault_memory.model.wire import Json, item


def checked(report: CheckReport) -> Json:
    """Every check that was asked, and how many do not hold."""
    return {
        "file": FILE,
        "checks": len(report.results),
        "broken": len(report.broken),
        "results": [_result(one) for one in report.results],
        "notices": list(report.notices),
    }


def added(one: CheckAdded) -> Json:
    """A check that was written, and the memories of the answer that it was made of."""
    return {
        "file": FILE,
        "line": one.check.line,
        "ask": one.check.ask,
        "must": [wanted.name for wanted in one.check.must],
        "text": one.text,
        "notices": list(one.recall.notices),
    }


def _result(one: CheckResult) -> Json:
    return {
        "ask": one.check.ask,
        "line": one.check.line,
        "agent": one.agent,
        "holds": one.holds,
        "tokens": one.recall.tokens,
        "budget": one.recall.budget,
        "mode": one.recall.mode,
        "broken": [_broken(one, each) for each in one.broken],
        "memories": [
            {key: item(each)[key] for key in ("id", "path", "title", "score", "shown", "line", "tokens")}
            for each in one.recall.items
        ],
    }


def _broken(result: CheckResult, one: Broken) -> Json:
    return {
        "line": one.wanted.line,
        "side": "must" if one.must else "must_not",
        "memory": None if one.wanted.is_text else one.wanted.name,
        "text": one.wanted.name if one.wanted.is_text else None,
        "reason": one.why.value,
        "message": sentence(result, one),
        "path": one.path,
        "place": one.place,
        "score": None if one.score is None else round(one.score, 4),
        "instead": [each.hit.entry.path for each in result.in_place_of(one)],
    }
