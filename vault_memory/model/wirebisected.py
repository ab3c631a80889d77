"""Since when a question no longer finds a memory, as JSON."""

from __future__ import annotations

from vault_memory.model.bisected import Bisected, Looked
from vault_memory.model.wire import Json, moment


def bisected(found: Bisected) -> Json:
    """The outcome, and every commit that was looked at."""
    by = found.by
    return {
        "query": found.query,
        "path": found.path,
        "title": found.title,
        "outcome": found.since.value,
        "last_found": None if found.last_found is None else _looked(found.last_found),
        "first_lost": None if found.first_lost is None else _looked(found.first_lost),
        "by": None if by is None else (by.agent or by.author),
        "subject": None if by is None or not by.subject else by.subject,
        "place_now": found.now,
        "commits": found.commits,
        "looked_at": [_looked(one) for one in found.looked],
    }


def _looked(one: Looked) -> Json:
    point = one.point
    return {
        "commit": point.commit,
        "when": moment(point.when),
        "place": one.place,
        "exists": one.exists,
        "expired": one.expired,
    }
