"""What became of a memory, in a line that an agent reads: without its text, and safe to put before it."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.harmless import harmless_line
from vault_memory.model.ids import short


def change_line(
    what: str, *, title: str, own: str | None, path: str, by: Sequence[str], notifies: bool
) -> str:
    """What, title, short id (of `own`), path, by whom, and whether it notifies the reader; what there is none
    of is left out."""
    parts = (
        what,
        harmless_line(title, 120),
        short(own),
        harmless_line(path, 300),
        f"by {harmless_line(', '.join(by), 80)}" if by else "",
        "notifies you" if notifies else "",
    )
    return " · ".join(part for part in parts if part)
