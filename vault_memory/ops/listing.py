"""All memories that a caller may read."""

from __future__ import annotations

from datetime import datetime

from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.ports import Ports


def listing(
    ports: Ports,
    scope: Scope,
    *,
    under: Namespace | None = None,
    tag: str | None = None,
    expired: bool = False,
) -> list[Entry]:
    """In path order; expired ones only with `expired=True`."""
    now = ports.clock.now()
    entries = ports.index.entries(scope, under=under)
    return [entry for entry in entries if (expired or _lives(entry, now)) and _has_tag(entry, tag)]


def _lives(entry: Entry, now: datetime) -> bool:
    return entry.expires is None or entry.expires > now


def _has_tag(entry: Entry, tag: str | None) -> bool:
    return tag is None or tag.lstrip("#").casefold() in (one.casefold() for one in entry.tags)
