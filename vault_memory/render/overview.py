"""Views over many memories as text for people: tags, topics, timeline, stats."""

from __future__ import annotations

from datetime import datetime, time, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.stats import Counts, Stats
from vault_memory.model.tagcount import Tags
from vault_memory.model.timeline import Timeline
from vault_memory.model.topics import Topics
from vault_memory.render.columns import columns
from vault_memory.render.style import cells, counted, filled, harmless, styled

MOST_ROWS = 12
"""So many names of a count are shown; the rest are added up."""
FEWEST_ROWS = 2
BAR = 24
"""Columns of the longest bar."""


def render_tags(found: Tags, *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """Count, last use and name of each tag."""
    if not found.tags:
        return f"No tags in {counted(found.memories, 'memory', 'memories')}."
    rows = [
        (f"{one.memories:,}", age_in_words(one.newest, now, zone), " = ".join(map(harmless, one.spellings)))
        for one in found.tags
    ]
    table = columns(("memories", "newest", "tag"), rows, width, colour=colour)
    return table + counted(len(found.tags), "tag")


def render_topics(found: Topics, *, now: datetime, zone: tzinfo, colour: bool) -> str:
    """Each topic with its count, and under it the titles of some of its memories."""
    if not found.topics:
        return f"No topic is shared by two of {counted(found.memories, 'memory', 'memories')}."
    lines: list[str] = []
    for one in found.topics:
        head = styled(harmless(one.name), "bold", colour=colour)
        age = f", newest {age_in_words(one.newest, now, zone)}" if one.newest else ""
        lines.append(f"{head}  {counted(one.memories, 'memory', 'memories')}{age}")
        lines += [f"  {harmless(each.title)}  {_dim(harmless(each.path), colour)}" for each in one.examples]
    rest = f"{counted(found.rest, 'memory', 'memories')} of {found.memories:,} in none of these topics"
    return "\n".join([*lines, rest if found.rest else f"all of {found.memories:,} memories are in a topic"])


def render_timeline(found: Timeline, *, zone: tzinfo, colour: bool) -> str:
    """Each period with its memories, newest first."""
    if not found.periods:
        return f"No memory has a date ({counted(found.undated, 'memory', 'memories')} without)."
    lines: list[str] = []
    for period in found.periods:
        lines.append(styled(period.name, "bold", colour=colour))
        for one in period.entries:
            assert one.dated is not None, "only dated memories are in a period"
            at = one.dated.astimezone(zone)
            # Most midnights are a date that was written without a time.
            shown = f"{at:%m-%d}      " if at.time() == time() else f"{at:%m-%d %H:%M}"
            lines.append(f"  {shown}  {harmless(one.title)}  {_dim(harmless(one.path), colour)}")
    count = sum(len(period.entries) for period in found.periods)
    told = [f"{count:,} of {counted(found.total, 'memory', 'memories')}"]
    if found.undated:
        told.append(f"{found.undated:,} without a date")
    return "\n".join([*lines, ", ".join(told)])


def render_stats(found: Stats, *, now: datetime, zone: tzinfo, colour: bool) -> str:
    """The totals, then a small table a count."""
    total = f"{counted(found.memories, 'memory', 'memories')}, {found.bytes:,} bytes of text"
    facts = [
        (found.expired, "expired (vmem gc)"),
        (found.pinned, "pinned"),
        (found.undated, "without a date"),
        (found.without_id, "without an id"),
        (found.conflicted, "with merge markers (vmem lint)"),
        (found.untagged, "without tags"),
    ]
    lines = [total, *(f"  {number:,} {what}" for number, what in facts if number)]
    lines.append(f"  {counted(found.tags, 'tag')}, {counted(found.links, 'link')}")
    if found.oldest and found.newest:
        oldest, newest = (age_in_words(when, now, zone) for when in (found.oldest, found.newest))
        lines.append(f"  oldest {oldest}, newest {newest}")
    for title, counts in (
        ("namespaces", found.namespaces),
        ("kinds", found.kinds),
        ("written by", found.agents),
        ("importance", found.importance),
        ("years", found.years),
    ):
        lines += _chart(title, counts, colour=colour)
    return "\n".join(lines)


def _chart(title: str, counts: Counts, *, colour: bool) -> list[str]:
    if sum(number > 0 for _, number in counts) < FEWEST_ROWS:
        return []  # nothing to compare
    shown, rest = counts[:MOST_ROWS], counts[MOST_ROWS:]
    if rest:
        shown = (*shown, (f"({len(rest):,} more)", sum(number for _, number in rest)))
    names = [harmless(name) for name, _ in shown]
    width, most = max(map(cells, names)), max(number for _, number in shown)
    figures = len(f"{most:,}")
    lines = ["", styled(title, "bold", colour=colour)]
    for name, (_, number) in zip(names, shown, strict=True):
        bar = "█" * round(number / most * BAR) or "▏" * bool(number)
        lines.append(f"  {filled(name, width)}  {number:>{figures},}  {bar}".rstrip())
    return lines


def _dim(text: str, colour: bool) -> str:
    return styled(text, "dim", colour=colour)
