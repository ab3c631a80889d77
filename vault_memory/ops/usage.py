"""How memories were used, as the local traces have it, and forgetting what they have."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope
from vault_memory.model.usage import Usage, usage, visible
from vault_memory.ports import Ports

SAMPLE = 200
"""Of so many memories at most the tokens are counted; the others are taken to be like them."""


def used(
    ports: Ports,
    scope: Scope,
    entries: Sequence[Entry],
    *,
    chosen: Sequence[Entry] | None,
    since: datetime | None,
    until: datetime | None,
    zone: tzinfo,
    limit: int,
    traced: bool,
) -> Usage:
    """Of the answers that the caller may know of, in that time; `entries` are all that they may read."""
    uses = [one for one in ports.uses.since(since) if until is None or one.at < until]
    return usage(
        visible(uses, scope.agent),
        entries,
        chosen=chosen,
        now=ports.clock.now(),
        zone=zone,
        whole=_tokens(ports, entries),
        limit=limit,
        traced=traced,
        since=since,
        until=until,
    )


def forget_uses(ports: Ports, scope: Scope) -> int:
    """Forget all traces, of every agent; how many answers they told of. Only the person may.

    Raises `PersonOnlyError`, `StorageError`."""
    scope.check_person("forget what was recalled", hint="ask the person to run: vmem stats --forget-uses")
    count = len(ports.uses.since(None))
    ports.uses.forget()
    return count


def _tokens(ports: Ports, entries: Sequence[Entry]) -> int:
    """About how many tokens the texts of these memories have, by a sample spread evenly over them."""
    step = max(-(-len(entries) // SAMPLE), 1)
    some = entries[::step]
    counted = sum(ports.tokens.count(_text(ports, one)) for one in some)
    size = sum(one.size for one in some)
    return round(counted * (sum(one.size for one in entries) / size)) if size else 0


def _text(ports: Ports, entry: Entry) -> str:
    return "".join(stored.passage.text for stored in ports.index.passages_of(entry.path))
