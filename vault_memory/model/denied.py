"""What an agent was refused, as a line of a log: when, to whom, what it wanted, where, by which door."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from vault_memory.model.harmless import harmless_line
from vault_memory.model.namespace import Wanted

_MOST = 200
"""Characters of a place, or of what only the person may do."""


@dataclass(frozen=True, slots=True)
class Denied:
    """One refusal. `what` is a folder or a path; of what only the person may do, its name."""

    at: datetime
    agent: str
    wanted: Wanted
    what: str
    door: str | None = None


def line_of(one: Denied) -> str:
    """As a line of JSON, its end included."""
    value = {
        "at": one.at.isoformat(timespec="seconds"),
        "agent": one.agent,
        "wanted": one.wanted.value,
        "what": harmless_line(one.what, _MOST),
        "door": one.door,
    }
    return json.dumps(value) + "\n"


def denied_from(line: str) -> Denied | None:
    """What a line says; `None` for the half of one, and for what somebody else has written there."""
    try:
        value = json.loads(line)
        door = value["door"]
        return Denied(
            datetime.fromisoformat(value["at"]),
            str(value["agent"]),
            Wanted(value["wanted"]),
            str(value["what"]),
            None if door is None else str(door),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
