"""Settings as text: a table of all, one value for a script, and the explanation of one."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.explained import Explained
from vault_memory.render.columns import columns
from vault_memory.render.style import cells, filled, harmless, styled


def render_settings(settings: Sequence[Explained], *, width: int, colour: bool) -> str:
    """Key, value and origin of each."""
    rows = [(one.key, harmless(one.holds.written), harmless(one.holds.origin)) for one in settings]
    return columns(("key", "value", "from"), rows, width, colour=colour)


def render_value(one: Explained) -> str:
    """The value alone: a text without quotes, a list by the line."""
    value = one.holds.value
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return value if isinstance(value, str) else one.holds.written


def render_explained(one: Explained, *, colour: bool) -> str:
    """What it is, what it means and takes, and every place that sets it."""
    whose = "a vault or this machine" if one.shared else "this machine only"
    size = max(cells(layer.written) for layer in one.layers)
    lines = [
        f"{styled(one.key, 'bold', colour=colour)} = {harmless(one.holds.written)}",
        f"  {one.meaning}",
        f"  takes   {one.takes}",
        f"  set by  {whose}" + (f", or VMEM_{one.key.upper()}" if one.by_variable else ""),
    ]
    for layer in one.layers:
        holds = "   (this one holds)" if layer is one.holds and len(one.layers) > 1 else ""
        lines.append(f"          {filled(harmless(layer.written), size)}   {harmless(layer.origin)}{holds}")
    return "\n".join(lines)
