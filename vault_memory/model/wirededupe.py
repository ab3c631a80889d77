"""Clusters of memories that say the same, as JSON."""

from __future__ import annotations

from vault_memory.model.clusters import Cluster, Deduped
from vault_memory.model.memory import Memory
from vault_memory.model.wire import Json, moment


def deduped(one: Deduped) -> Json:
    """The clusters, what was merged, and the commit of that or null with a `reason`."""
    return {
        "clusters": [_cluster(each) for each in one.clusters],
        "committed": one.commit,
        "reason": one.reason,
        "broken": [{"path": path, "target": link.target, "line": link.line} for path, link in one.broken],
        "notices": list(one.notices),
    }


def _cluster(one: Cluster) -> Json:
    return {
        "namespace": one.namespace,
        "likeness": one.likeness.value,
        "keep": _named(one.keep),
        "others": [_named(each) for each in one.others],
        "lines": [{"path": path, "text": text} for path, text in one.lines],
        "keys": [{"path": path, "key": key} for path, key in one.keys],
        "stays": one.stays,
        "merged": one.merged,
    }


def _named(one: Memory) -> Json:
    return {"id": one.id, "path": one.path, "title": one.title, "created": moment(one.created)}
