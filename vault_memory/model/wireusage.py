"""What local traces say, as JSON."""

from __future__ import annotations

from vault_memory.model.memory import Entry
from vault_memory.model.usage import Usage
from vault_memory.model.wire import Json, moment


def usage(found: Usage) -> Json:
    """Every count, and the memories that are named."""
    return {
        "traces": found.traced,
        "since": moment(found.since),
        "until": moment(found.until),
        "first": moment(found.first),
        "answers": found.answers,
        "hits": found.hits,
        "tokens": found.tokens,
        "whole": found.whole,
        "everything": found.everything,
        "saved": found.saved,
        "doors": [
            {
                "door": one.door,
                "answers": one.answers,
                "hits": one.hits,
                "memories": one.given,
                "tokens": one.tokens,
            }
            for one in found.doors
        ],
        "days": [{"day": one.day.isoformat(), "answers": dict(one.doors)} for one in found.days],
        "recalled": found.recalled,
        "most": [
            {**_named(one.memory), "answers": one.answers, "last": moment(one.last)} for one in found.most
        ],
        "never": found.never,
        "idle": [_named(one) for one in found.idle],
        "removed": found.removed,
        "notices": list(found.notices),
    }


def _named(entry: Entry) -> Json:
    return {
        "id": entry.id,
        "path": entry.path,
        "title": entry.title,
        "importance": entry.importance,
        "dated": moment(entry.dated),
    }
