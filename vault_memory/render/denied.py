"""What agents were refused, as text."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from vault_memory.model.denied import Denied
from vault_memory.render.columns import columns
from vault_memory.render.style import harmless


def render_denied(found: Sequence[Denied], more: int, zone: ZoneInfo, *, width: int, colour: bool) -> str:
    """A line for each, and how many are not shown."""
    if not found:
        return "No agent was refused anything, as far as is known here."
    rows = [
        (
            f"{one.at.astimezone(zone):%Y-%m-%d %H:%M}",
            harmless(one.agent),
            one.wanted.value,
            harmless(one.what),
            harmless(one.door or ""),
        )
        for one in found
    ]
    table = columns(("when", "agent", "wanted", "what", "door"), rows, width, colour=colour)
    lines = [line.rstrip() for line in table.splitlines()]
    return "\n".join([*lines, *([f"{more:,} more not shown (--limit)"] if more else [])])
