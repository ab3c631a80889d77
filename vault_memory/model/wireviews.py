"""Views over many memories as JSON: tags, topics, timeline, stats."""

from __future__ import annotations

from vault_memory.model.stats import Counts, Stats
from vault_memory.model.tagcount import Tags
from vault_memory.model.timeline import Timeline
from vault_memory.model.topics import Topics
from vault_memory.model.wire import Json, entry, moment


def tags(found: Tags) -> Json:
    """Each tag with its count, and how many memories were looked at."""
    return {
        "memories": found.memories,
        "tags": [
            {
                "tag": one.tag,
                "memories": one.memories,
                "newest": moment(one.newest),
                "spellings": list(one.spellings),
            }
            for one in found.tags
        ],
        "notices": list(found.notices),
    }


def topics(found: Topics) -> Json:
    """The topics, and how many memories are in none."""
    return {
        "memories": found.memories,
        "rest": found.rest,
        "topics": [
            {
                "name": one.name,
                "memories": one.memories,
                "newest": moment(one.newest),
                "examples": [
                    {"id": each.id, "path": each.path, "title": each.title} for each in one.examples
                ],
            }
            for one in found.topics
        ],
        "notices": list(found.notices),
    }


def timeline(found: Timeline) -> Json:
    """The periods with their memories, and how many have no date."""
    return {
        "total": found.total,
        "undated": found.undated,
        "periods": [
            {
                "period": one.name,
                "start": one.start.isoformat(),
                "memories": [{**entry(each), "dated": moment(each.dated)} for each in one.entries],
            }
            for one in found.periods
        ],
        "notices": list(found.notices),
    }


def stats(found: Stats) -> Json:
    """Every count."""
    return {
        "memories": found.memories,
        "bytes": found.bytes,
        "expired": found.expired,
        "pinned": found.pinned,
        "undated": found.undated,
        "without_id": found.without_id,
        "conflicted": found.conflicted,
        "tags": found.tags,
        "untagged": found.untagged,
        "links": found.links,
        "oldest": moment(found.oldest),
        "newest": moment(found.newest),
        "namespaces": _named(found.namespaces),
        "kinds": _named(found.kinds),
        "agents": _named(found.agents),
        "importance": _named(found.importance),
        "years": _named(found.years),
        "notices": list(found.notices),
    }


def _named(counts: Counts) -> list[Json]:
    return [{"name": name, "memories": number} for name, number in counts]
