"""What goes between a process and the one that makes its commits: intents and reports, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Author, CommitReport, Intent, Op, Operation


def told(intents: Sequence[Intent]) -> list[list[Any]]:
    """The intents as JSON's values; `reason` is only a word for people, and stays."""
    return [
        [
            intent.number,
            intent.branch,
            intent.at.isoformat(),
            operation.op.value,
            operation.path,
            operation.version,
            operation.before,
            operation.message,
            None if operation.author is None else [operation.author.name, operation.author.email],
            operation.batch,
        ]
        for intent in intents
        for operation in (intent.operation,)
    ]


def heard(intents: Sequence[Sequence[Any]]) -> list[Intent]:
    """The intents again."""
    return [_intent(*one) for one in intents]


def _intent(  # noqa: PLR0917 - the fields as they lie in a list
    number: int,
    branch: str | None,
    at: str,
    op: str,
    path: str,
    version: str | None,
    before: str | None,
    message: str,
    author: tuple[str, str] | None,
    batch: str | None,
) -> Intent:
    by = None if author is None else Author(*author)
    operation = Operation(Op(op), VaultPath(path), version, before, message, by, batch)
    return Intent(number, operation, branch, datetime.fromisoformat(at))


def told_report(report: CommitReport) -> dict[str, Any]:
    """A report as JSON's values."""
    return {
        "commits": list(report.commits.items()),
        "waiting": list(report.waiting.items()),
        "unversioned": list(report.unversioned.items()),
    }


def heard_report(report: Mapping[str, Any]) -> CommitReport:
    """The report again. Raises `KeyError` and `ValueError` for anything else."""
    return CommitReport(dict(report["commits"]), dict(report["waiting"]), dict(report["unversioned"]))
