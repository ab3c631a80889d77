"""Flags that the two versions of one memory tell: only what the older one did not have already."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from vault_memory.model import codes
from vault_memory.model.flags import flag
from vault_memory.model.flags.flag import Flag, Sides
from vault_memory.model.namespace import owner_of
from vault_memory.model.rules import is_problem

JUMP = 0.3
"""Importance: so much more or less is a jump."""
SHORTER = timedelta(days=1)
"""By less than that, an end that moved is not worth a word."""
MOST_FAULTS = 5
_ROUNDING = 1e-9


def secrets(sides: Sides) -> Iterator[Flag]:
    """What looks like a secret; never with its text."""
    for rule, line in sides.secrets(sides.new, sides.old):
        yield Flag(flag.SECRET, f"looks like it holds a secret ({rule})", line)


def place(sides: Sides) -> Iterator[Flag]:
    """Who can read it, where that changed."""
    if sides.before is None or sides.after is None:
        return
    was, now = owner_of(sides.before.path), owner_of(sides.after.path)
    if was == now:
        return
    if was is None:
        yield Flag(flag.PLACE, f"was readable by all agents, now private to {now}")
    elif now is None:
        yield Flag(flag.PLACE, f"was private to {was}, now readable by all agents")
    else:
        yield Flag(flag.PLACE, f"was private to {was}, now private to {now}")


def importance(sides: Sides) -> Iterator[Flag]:
    """A jump; the default counts where none is written."""
    if sides.before is None or sides.after is None:
        return
    was, now = sides.before.importance, sides.after.importance
    if abs(now - was) >= JUMP - _ROUNDING:
        yield Flag(flag.IMPORTANCE, f"importance {was:g} → {now:g}")


def expiry(sides: Sides) -> Iterator[Flag]:
    """An end that came nearer, or that has passed already."""
    after, before = sides.after, sides.before
    if after is None or after.expires is None or (before is not None and before.conflicted):
        return
    end = after.expires
    was = before.expires if before is not None else None
    if end <= sides.now and (before is None or was is None or was > sides.now):
        yield Flag(flag.EXPIRY, f"has expired already ({_day(end)}): recall never shows it")
    elif before is not None and was is None:
        yield Flag(flag.EXPIRY, f"never expired, now expires {_day(end)}")
    elif was is not None and was - end >= SHORTER:
        yield Flag(flag.EXPIRY, f"expires {_day(end)}, before {_day(was)}")


def faults(sides: Sides) -> Iterator[Flag]:
    """Faults that reading the newer version finds and the older one had not."""
    if sides.after is None:
        return
    before = sides.before.findings if sides.before is not None else ()
    known = {(one.code, one.message) for one in before}
    fresh = [
        one
        for one in sides.after.findings
        if is_problem(one.code) and (one.code, one.message) not in known and one.code != codes.NOT_UTF8
    ]
    for one in fresh[:MOST_FAULTS]:
        yield Flag(flag.FAULT, one.message, one.line)
    if len(fresh) > MOST_FAULTS:
        yield Flag(
            flag.FAULT, f"{len(fresh) - MOST_FAULTS} more faults: vmem lint names them", fresh[-1].line
        )


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"
