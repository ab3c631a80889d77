"""Differences between versions of memories as JSON."""

from __future__ import annotations

from vault_memory.model.comparison import Comparison
from vault_memory.model.flags.flag import Flag
from vault_memory.model.wire import Json
from vault_memory.model.worddiff import Hunk, hunks


def comparison(one: Comparison) -> Json:
    """Every difference between two points."""
    return {
        "from": one.older or None,
        "to": one.newer,
        "memories": [
            {
                "path": each.path,
                "how": each.how.value,
                "came_from": each.came_from,
                "id": each.id,
                "title": each.title,
                "keys": [
                    {"key": change.key, "before": change.before, "after": change.after}
                    for change in each.keys
                ],
                "text": "\n".join(each.lines),
                "words": [_hunk(hunk) for hunk in hunks(each.lines)],
                "flags": [_flag(flag) for flag in each.flags],
            }
            for each in one.differences
        ],
        "notices": list(one.notices),
    }


def _hunk(one: Hunk) -> Json:
    return {"at": one.at, "lines": [[list(piece) for piece in line] for line in one.lines]}


def _flag(one: Flag) -> Json:
    return {"flag": one.name, "message": one.message, "line": one.line, "other": one.other}
