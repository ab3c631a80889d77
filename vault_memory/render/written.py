"""The line that says what a write did."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.outcome import NOT_WRITTEN, Written
from vault_memory.model.revision import Op
from vault_memory.render.style import styled

MANY = 20
"""From so many on, a count says it."""

_VERBS = {Op.FORGET: "removed", Op.RESTORE: "restored", Op.UNDO: "undone"}


def render_written(written: Sequence[Written], *, colour: bool) -> str:
    """One line a memory: path, short id, commit; past `MANY`, one line for all."""
    if len(written) > MANY:
        return _summary(written, colour=colour)
    return "\n".join(_line(one, colour=colour) for one in written)


def _line(one: Written, *, colour: bool) -> str:
    mark = styled("✔", "green", colour=colour)
    parts = [f"{mark} {styled(one.path, 'bold', colour=colour)}", (one.id or "")[:8]]
    if one.known:
        parts.append("nothing changed" if one.op is Op.EDIT else "known already: the same text stands there")
    else:
        if one.op in _VERBS:
            parts.append(_VERBS[one.op])
        if one.commit:
            parts.append(f"committed {one.commit[:7]}")
        elif one.reason == NOT_WRITTEN:
            parts.append("would be written")
        else:
            parts.append(styled("saved, not committed", "yellow", colour=colour))
    return "   ".join(part for part in parts if part)


def _summary(written: Sequence[Written], *, colour: bool) -> str:
    known = sum(one.known for one in written)
    new = [one for one in written if not one.known]
    committed = sum(one.commit is not None for one in new)
    mark = styled("✔", "green", colour=colour)
    text = f"{mark} {len(new)} memories written, {committed} committed"
    return f"{text}, {known} known already" if known else text
