"""Differences between versions of memories as JSON."""

from __future__ import annotations

from vault_memory.model.comparison import Comparison
from vault_memory.model.wire import Json


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
            }
            for each in one.differences
        ],
        "notices": list(one.notices),
    }
