"""What a look through all of history found, as JSON."""

from __future__ import annotations

from vault_memory.model.past import Buried, Unearthed
from vault_memory.model.wire import Json, moment


def unearthed(one: Unearthed) -> Json:
    """Where secrets are, and how much was looked through."""
    return {
        "versions": one.versions,
        "commits": one.commits,
        "found": [_buried(each) for each in one.found],
        "notices": list(one.notices),
    }


def _buried(one: Buried) -> Json:
    return {
        "path": one.path,
        "line": one.line,
        "rule": one.rule,
        "first": one.first,
        "when": moment(one.when),
        "author": one.author,
        "last": one.last,
        "versions": one.versions,
        "present": one.present,
    }
