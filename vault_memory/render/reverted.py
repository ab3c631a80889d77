"""What was taken back, as text."""

from __future__ import annotations

from vault_memory.model.reverted import Became, Reverted, TakenBack
from vault_memory.model.revision import short
from vault_memory.render.style import counted, harmless, styled

SHOWN = 50
"""So many memories are listed; of more, only those of which something stays."""
_WOULD = {
    Became.REMOVED: "removed",
    Became.RESTORED: "restored",
    Became.CHANGED: "changed back",
    Became.MOVED: "moved back",
    Became.LEFT: "left as it is",
}


def render_reverted(done: Reverted, *, colour: bool) -> str:
    """A line a memory, why something of one stays, and the commit."""
    lines = []
    shown = done.files if len(done.files) <= SHOWN else done.kept
    for one in shown:
        lines.append(_line(one, colour=colour))
        if one.kept is not None:
            lines.append(styled(f"    it keeps some: {harmless(one.kept)}" if one.became is not Became.LEFT
                                else f"    {harmless(one.kept)}", "yellow", colour=colour))  # fmt: skip
    if len(shown) < len(done.files):
        rest = counted(len(done.files) - len(shown), "memory", "memories")
        lines.append(f"  … {'and ' if shown else ''}{rest}{' more' if shown else ''}; --json names all")
    return "\n".join([*lines, _last(done, colour=colour)])


def _line(one: TakenBack, *, colour: bool) -> str:
    place = harmless(one.path)
    if one.came_from is not None:
        place = f"{harmless(one.came_from)} → {place}"
    return f"  {styled(place, 'bold', colour=colour)}   {_WOULD[one.became]}"


def _last(done: Reverted, *, colour: bool) -> str:
    commits = counted(len(done.revisions), "commit")
    changed = counted(len(done.changed), "memory", "memories")
    if not done.changed:
        return f"Nothing of {commits} is left to take back." if not done.kept else "Nothing was changed."
    if done.dry_run:
        return f"{commits} would be taken back, in one commit: {changed}. Nothing was changed."
    mark = styled("✔", "green", colour=colour)
    how = f"committed {short(done.commit)}" if done.commit else "not committed"
    return f"{mark} took back {commits}: {changed}   {how}"
