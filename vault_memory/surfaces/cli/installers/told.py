"""What came of the files that an installer touched, for a program and in lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from vault_memory.surfaces.cli.installers import Told

if TYPE_CHECKING:
    from vault_memory.facets.installing.shared import Step

_WORDS = {"written": "written", "replaced": "changed", "deleted": "deleted", "nothing": "as it was"}
_SHORT = 60
_MOST = 4
"""So many parts of a file are named; the others are counted."""


def steps_told(
    steps: Sequence[Step], out: bool, *, program: str, done: str, then: Sequence[str] = ()
) -> Told:
    """What was done for a program: `done` is said first, and `then` what is to be done there."""
    facts = {"files": facts_of(steps)}
    lines = _lines(steps)
    if not lines:
        there = f"not set up for {program}" if out else f"set up for {program} already"
        return Told(facts, [f"The vault is {there}; nothing was changed."])
    if out and all(one.did.value == "nothing" for one in steps):
        return Told(facts, [f"Nothing of {program} was changed.", *lines])
    if out:
        return Told(facts, [f"What was added for {program} is out again.", *lines])
    return Told(facts, [done, *lines, *then])


def facts_of(steps: Iterable[Step]) -> list[dict[str, object]]:
    """One row a file."""
    return [
        {
            "path": one.path,
            "did": one.did.value,
            "what": list(one.what),
            "left": one.left,
            "by_hand": one.by_hand,
        }
        for one in steps
    ]


def _lines(steps: Sequence[Step]) -> list[str]:
    """A line a file that was changed or had to be left, and what to do by hand below it."""
    told = [one for one in steps if one.did.value != "nothing" or one.left is not None]
    width = max((len(one.path) for one in told), default=0)
    lines: list[str] = []
    for one in told:
        what = _WORDS[one.did.value] if one.left is None else f"left alone: {one.left}"
        lines += _in_lines(f"  {one.path:<{width}}   {what}", one.what)
        if one.by_hand is not None:
            lines.append("    add by hand what of this you want:")
            lines += [f"    {line}" for line in one.by_hand.split("\n")]
    return lines


def _in_lines(first: str, what: Sequence[str]) -> list[str]:
    rest = len(what) - _MOST
    parts = ", ".join(what[:_MOST]) + (f" and {rest} more" if rest > 0 else "")
    if len(parts) <= _SHORT:
        return [f"{first}: {parts}" if parts else first]
    return [first, *(f"      {part}" for part in what)]
