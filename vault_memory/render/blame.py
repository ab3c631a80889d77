"""Whose lines are whose, as text."""

from __future__ import annotations

from datetime import tzinfo

from vault_memory.model.blame import Blame, BlamedLine
from vault_memory.model.revision import short
from vault_memory.render.columns import WIDEST
from vault_memory.render.style import cells, filled, harmless, styled

NOT_YET = "not committed"
HIDDEN = "(not yours to know)"
_NOBODY = ("", "", NOT_YET, "")


def render_blame(blame: Blame, *, zone: tzinfo, colour: bool) -> str:
    """A line a line: its number, commit, day, who and what they did, then the text as it stands there."""
    if not blame.lines:
        return f"{harmless(blame.path)} is empty."
    rows = [_row(one, zone) for one in blame.lines]
    widths = [min(max(map(cells, column)), WIDEST) for column in zip(*rows, strict=True)]
    lines = []
    for one, row in zip(blame.lines, rows, strict=True):
        before = "  ".join(filled(text, width) for text, width in zip(row, widths, strict=True))
        lines.append(f"{styled(before, 'dim', colour=colour)}  │ {harmless(one.text)}".rstrip())
    return "\n".join(lines)


def _row(one: BlamedLine, zone: tzinfo) -> tuple[str, ...]:
    known = one.revision
    if known is None:
        commit, day, who, did = _NOBODY if not one.committed else ("", "", HIDDEN, "")
    else:
        commit, day = short(known.commit), f"{known.when.astimezone(zone):%Y-%m-%d}"
        who, did = harmless(known.agent or known.author), known.op.value if known.op else ""
    return f"{one.number:>4}", commit, day, who, did
