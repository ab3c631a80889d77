"""Views over all memories that a caller may read and that fit a filter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vault_memory.config.settings import Settings
from vault_memory.errors import UsageError
from vault_memory.model.inventory import Listing
from vault_memory.model.namespace import Scope
from vault_memory.model.stats import Stats, stats
from vault_memory.model.tagcount import Tags, count_tags
from vault_memory.model.timeline import Timeline, parse_span, timeline
from vault_memory.model.topics import Topics, topics
from vault_memory.ops.filtered import chosen
from vault_memory.ops.listing import listing
from vault_memory.ports import Ports


def view_tags(ports: Ports, settings: Settings, scope: Scope, choice: Mapping[str, object]) -> Tags:
    """Every tag of living memories, the most used first."""
    found = _living(ports, settings, scope, choice)
    return replace(count_tags(found, inline=settings["inline_tags"]), notices=found.notices)


def view_topics(
    ports: Ports, settings: Settings, scope: Scope, choice: Mapping[str, object], *, limit: int
) -> Topics:
    """What living memories are about."""
    _check_limit(limit, "topics")
    found = _living(ports, settings, scope, choice)
    return replace(topics(found, inline=settings["inline_tags"], limit=limit), notices=found.notices)


def view_timeline(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    choice: Mapping[str, object],
    *,
    by: object,
    limit: int | None,
) -> Timeline:
    """Living memories by their dates, newest first."""
    if limit is not None:
        _check_limit(limit, "memories")
    span = parse_span(by)
    found = _living(ports, settings, scope, choice)
    return replace(timeline(found, settings.zone, by=span, limit=limit), notices=found.notices)


def view_stats(ports: Ports, settings: Settings, scope: Scope, choice: Mapping[str, object]) -> Stats:
    """The vault in numbers, expired memories counted with the others."""
    found = listing(ports, scope, chosen(ports, settings, choice), expired=True)
    paths = {entry.path for entry in found}
    links = sum(path in paths for path, _ in ports.index.links(scope))
    counted = stats(found, now=ports.clock.now(), inline=settings["inline_tags"], links=links)
    return replace(counted, notices=found.notices)


def _living(ports: Ports, settings: Settings, scope: Scope, choice: Mapping[str, object]) -> Listing:
    return listing(ports, scope, chosen(ports, settings, choice))


def _check_limit(limit: object, what: str) -> None:
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise UsageError(f"{limit!r:.200} can't be a number of {what}", hint="give 1 or more")
