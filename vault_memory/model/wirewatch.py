"""What `vmem watch --json` says, an object a line."""

from __future__ import annotations

from datetime import datetime

from vault_memory.model.change import RefreshReport, Touch
from vault_memory.model.edits import Kept
from vault_memory.model.wire import Json, moment

MOST = 1000
"""So many files of one batch are named; the counts are of all."""


def began(root: str, memories: int, folders: int, polled: str | None, pause: float | None) -> Json:
    """What is watched; `pause` is in seconds, `None` where edits are not committed."""
    return {
        "root": root,
        "memories": memories,
        "folders": folders,
        "polled": polled,
        "commit_after_seconds": pause,
    }


def indexed(report: RefreshReport) -> Json:
    """One batch of changes."""
    named = report.touched[:MOST]
    return {
        "generation": report.generation,
        "counts": {"added": report.added, "changed": report.changed, "removed": report.removed},
        **{touch.value: [path for one, path in named if one is touch] for touch in Touch},
        "unreadable": [{"path": path, "reason": reason} for path, reason in report.unreadable],
    }


def kept(one: Kept) -> Json:
    """One commit of a person's edits, and what was left out of it."""
    return {
        "commit": one.commit,
        "files": [{"path": path, "what": touch.value} for touch, path in one.files],
        "left": [{"path": path, "reason": reason} for path, reason in one.left],
        "reason": one.reason,
    }


def event(name: str, at: datetime, more: Json) -> Json:
    """An event of that name."""
    return {"event": name, "at": moment(at), **more}
