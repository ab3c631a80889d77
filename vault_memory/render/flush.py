"""What a flush did, as text."""

from __future__ import annotations

from vault_memory.model.health import Flushed
from vault_memory.render.style import counted, harmless, styled


def render_flushed(one: Flushed, *, colour: bool) -> str:
    """A line for what was committed, and one for each memory that still waits, with the reason."""
    lines = []
    if one.committed:
        mark = styled("✔", "green", colour=colour)
        lines.append(f"{mark} {counted(one.committed, 'memory', 'memories')} committed")
    elif not one.waiting:
        lines.append("Nothing waits for a commit.")
    lines += [f"  {harmless(each.path)}   {each.op}: {harmless(each.reason)}" for each in one.waiting]
    return "\n".join(lines)
