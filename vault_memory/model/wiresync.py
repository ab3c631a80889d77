"""An exchange with a remote as JSON."""

from __future__ import annotations

from vault_memory.model import wireerror
from vault_memory.model.branches import Apart
from vault_memory.model.synced import Synced
from vault_memory.model.wire import Json


def apart(one: Apart) -> Json:
    """A memory that got another name since both sides made one of that name; `side` is whose that is."""
    return {"path": one.path, "moved_to": one.moved_to, "side": "ours" if one.ours_moved else "theirs"}


def synced(one: Synced) -> Json:
    """What `vmem sync --json` prints."""
    came = one.received
    return {
        "branch": one.branch,
        "remote": one.followed.remote,
        "remote_branch": one.followed.branch,
        "follows_now": one.follows_now,
        "head": one.head,
        "way": one.way.value if one.way is not None else None,
        "commits_received": one.commits_received,
        "commits_sent": one.commits_sent,
        "commits_unsent": one.commits_unsent,
        "added": list(came.added),
        "edited": list(came.edited),
        "removed": list(came.removed),
        "renamed": [{"from": old, "to": new} for old, new in came.renamed],
        "apart": [apart(each) for each in one.apart],
        "same_id": [{"path": path, "other": other} for path, other in one.same_id],
        "conflicts": [
            {
                "title": each.title,
                "path": each.conflict.path,
                "keys": list(each.conflict.keys),
                "why": each.conflict.why,
            }
            for each in one.conflicts
        ],
        "conflicts_outside": list(one.conflicts_outside),
        "waiting": one.waiting,
        "uncommitted": one.uncommitted,
        "error": wireerror.error(one.error) if one.error is not None else None,
    }
