"""The line that says what a write did."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.ids import short_apart
from vault_memory.model.outcome import FOLLOWS, NOT_WRITTEN, Written
from vault_memory.model.revision import Op, short
from vault_memory.render.style import counted, harmless, styled

MANY = 20
"""From so many on, a count says it."""

_VERBS = {
    Op.EDIT: "changed",
    Op.FORGET: "removed",
    Op.GC: "removed",
    Op.DEDUPE: "merged",
    Op.RESTORE: "restored",
    Op.MOVE: "moved",
    Op.LINK: "links changed",
}
_CHANGES = frozenset({Op.EDIT, Op.LINK, Op.MOVE})
"""Operations on a memory that is there: one that finds it so already changes nothing."""


def render_written(written: Sequence[Written], *, colour: bool) -> str:
    """One line a memory: path, short id, commit; past `MANY`, one line for all."""
    if len(written) > MANY:
        return _summary(written, colour=colour)
    ids = short_apart([one.id for one in written])
    return "\n".join(
        _line(one, harmless(memory_id), colour=colour) for one, memory_id in zip(written, ids, strict=True)
    )


def _line(one: Written, memory_id: str, *, colour: bool) -> str:
    mark = styled("✔", "green", colour=colour)
    return "   ".join(
        part
        for part in (
            f"{mark} {styled(harmless(one.path), 'bold', colour=colour)}",
            "" if one.reason == NOT_WRITTEN else memory_id,
            *_outcome(one, colour=colour),
        )
        if part
    )


def _outcome(one: Written, *, colour: bool) -> tuple[str, ...]:
    if one.known:
        same = "nearly the same text stands there" if one.nearly else "the same text stands there"
        return ("nothing changed" if one.op in _CHANGES else f"known already: {same}",)
    instead = f"supersedes {harmless(', '.join(one.supersedes))}" if one.supersedes else ""
    if one.reason == NOT_WRITTEN:
        would = f"would be proposed on {harmless(one.proposed)}" if one.proposed else "would be written"
        return would, instead
    if one.commit and one.proposed:
        return _verb(one), f"proposed on {harmless(one.proposed)} {short(one.commit)}", instead
    if one.commit:
        return _verb(one), f"committed {short(one.commit)}", instead
    if one.reason == FOLLOWS:
        return _verb(one), FOLLOWS, instead
    left = "not committed" if one.version is None else "saved, not committed"
    return _verb(one), styled(left, "yellow", colour=colour), instead


def _verb(one: Written) -> str:
    return f"took back {harmless(one.undid)!r}" if one.undid else _VERBS.get(one.op, "")


def _what(written: Sequence[Written]) -> str:
    """What was done to all of these, in words."""
    count = counted(len(written), "memory", "memories")
    verbs = {_verb(one) for one in written}
    verb = verbs.pop() if len(verbs) == 1 else ""
    return f"{verb}: {count}" if written and written[0].undid else f"{count} {verb or 'written'}"


def _summary(written: Sequence[Written], *, colour: bool) -> str:
    known = sum(one.known for one in written)
    new = [one for one in written if not one.known]
    mark = styled("✔", "green", colour=colour)
    if any(one.reason == NOT_WRITTEN for one in new):
        text = f"{mark} {counted(len(new), 'memory', 'memories')} would be written"
    else:
        commits = [one.commit for one in new if one.commit is not None]
        together = len(commits) == len(new) and len(set(commits)) == 1
        committed = f"committed {short(commits[0])}" if together else f"{len(commits):,} committed"
        text = f"{mark} {_what(new)}, {committed}"
    return f"{text}, {known:,} known already" if known else text
