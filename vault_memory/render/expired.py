"""What has expired, as text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.expiry import Collected, Expired
from vault_memory.model.revision import short
from vault_memory.render.style import cells, counted, filled, harmless, styled

NOTHING = "Nothing has expired."
_WIDEST = 60
"""Paths are padded to the longest of them, up to so many columns."""


def render_expired(expired: Sequence[Expired], *, now: datetime, zone: tzinfo, colour: bool) -> str:
    """A line for each with its path, what ends it and since when; below it, why it stays."""
    if not expired:
        return NOTHING
    have = "memory has" if len(expired) == 1 else "memories have"
    return "\n".join([f"{len(expired):,} {have} expired:", *_lines(expired, now, zone, colour)])


def render_collected(collected: Collected, *, colour: bool) -> str:
    """How many were removed, and the commit."""
    if not collected.removed:
        return ""
    mark = styled("✔", "green", colour=colour)
    done = f"committed {short(collected.commit)}" if collected.commit else "not committed"
    return f"{mark} {counted(len(collected.removed), 'memory', 'memories')} removed   {done}"


def render_staged(collected: Collected, *, zone: tzinfo, colour: bool) -> str:
    """What leaves with the commit under way, and what has expired and stays."""
    blocks: list[str] = []
    for group, what in (
        (collected.removed, "removed, to leave with the commit:"),
        (collected.left, "stays:" if len(collected.left) == 1 else "stay:"),
    ):
        if group:
            count = counted(len(group), "expired memory", "expired memories")
            blocks += [f"{count} {what}", *_lines(group, collected.now, zone, colour)]
    return "\n".join(blocks)


def _lines(expired: Sequence[Expired], now: datetime, zone: tzinfo, colour: bool) -> list[str]:
    paths = [harmless(one.path) for one in expired]
    width = max((cells(path) for path in paths if cells(path) <= _WIDEST), default=0)
    lines: list[str] = []
    for path, one in zip(paths, expired, strict=True):
        since = age_in_words(one.since, now, zone).removesuffix(" ago")
        lines.append(f"  {filled(path, width)}   {one.key} {harmless(one.value)}, since {since}")
        if one.stays:
            lines.append(styled(f"    it stays: {harmless(one.stays)}", "yellow", colour=colour))
    return lines
