"""Whose lines are whose, and what was taken back, as JSON."""

from __future__ import annotations

from vault_memory.model.blame import Blame, BlamedLine
from vault_memory.model.reverted import Reverted, TakenBack
from vault_memory.model.revision import Revision
from vault_memory.model.wire import Json, moment


def blame(one: Blame) -> Json:
    """A memory, line by line."""
    return {
        "path": one.path,
        "id": one.id,
        "title": one.title,
        "lines": [_line(line) for line in one.lines],
        "notices": list(one.notices),
    }


def _line(one: BlamedLine) -> Json:
    known = one.revision
    return {
        "line": one.number,
        "text": one.text,
        "front": one.front,
        "committed": one.committed,
        "commit": known.commit if known else None,
        "when": moment(known.when) if known else None,
        "author": known.author if known else None,
        "agent": known.agent if known else None,
        "op": known.op.value if known and known.op else None,
    }


def reverted(one: Reverted) -> Json:
    """What was taken back, and what became of each memory."""
    return {
        "commit": one.commit,
        "reason": one.reason,
        "dry_run": one.dry_run,
        "commits": [_revision(each) for each in one.revisions],
        "memories": [_taken_back(each) for each in one.files],
        "notices": list(one.notices),
    }


def _revision(one: Revision) -> Json:
    return {"commit": one.commit, "when": moment(one.when), "agent": one.agent, "subject": one.subject}


def _taken_back(one: TakenBack) -> Json:
    return {
        "path": one.path,
        "came_from": one.came_from,
        "id": one.id,
        "title": one.title,
        "became": one.became.value,
        "kept": one.kept,
    }
