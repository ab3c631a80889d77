"""One line for each thing that `vmem watch` sees."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.change import RefreshReport, Touch
from vault_memory.model.edits import Kept
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import short
from vault_memory.render.style import counted, harmless, styled

FEW = 5
"""So many files are named; of more there is a count."""
_STYLES = {Touch.ADDED: "green", Touch.CHANGED: "cyan", Touch.REMOVED: "red"}

Touched = Sequence[tuple[Touch, VaultPath]]


def render_touched(touched: Touched, *, colour: bool) -> str:
    """What was indexed; empty for nothing."""
    if len(touched) > FEW:
        parts = [(touch, sum(one is touch for one, _ in touched)) for touch in Touch]
        return ", ".join(
            f"{count:,} {styled(touch.value, _STYLES[touch], colour=colour)}"
            for touch, count in parts
            if count
        )
    return ", ".join(
        f"{styled(touch.value, _STYLES[touch], colour=colour)} {harmless(path)}" for touch, path in touched
    )


def render_watched(report: RefreshReport, *, colour: bool) -> str:
    """One batch of changes on a line."""
    return render_touched(report.touched, colour=colour)


def render_kept(kept: Kept, *, colour: bool) -> str:
    """A commit of a person's edits on a line; empty where there is none."""
    if kept.commit is None:
        return ""
    what = render_touched(kept.files, colour=False) if len(kept.files) <= FEW else ""
    named = what or counted(len(kept.files), "note")
    return f"{styled('committed', 'bold', colour=colour)} {short(kept.commit)}: {named}"
