"""What a capture did, and what waits for a look after it, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from vault_memory.model.capture.captured import Captured
from vault_memory.model.memory import Entry, Memory
from vault_memory.model.namespace import owner_of
from vault_memory.render.style import counted, harmless, styled
from vault_memory.render.table import render_entries

LINES = 40
"""Of one memory so many are shown; an editor shows the rest."""


def render_captured(done: Captured, *, colour: bool) -> str:
    """A line for each lesson, and one on the rest."""
    if done.off:
        return f'Nothing is captured of {done.agent}: the settings say so (capture = "off").'
    lines = [
        f"{styled(lesson.kind, 'cyan', colour=colour)}  {harmless(lesson.title)}\n"
        f"    {harmless(written.path)}   from line {lesson.line}"
        for lesson, written in zip(done.lessons, done.saved, strict=True)
    ]
    lines.append(_counts(done))
    if done.saved and not done.dry_run:
        branch = done.saved[0].proposed
        lines.append(f"Next: vmem review {branch}" if branch else f"Next: vmem capture --review {done.agent}")
    return "\n".join(lines)


def _counts(done: Captured) -> str:
    turns = counted(done.turns, "new turn")
    if not done.turns:
        nothing = "No new turns since the last capture" if not done.broken else "No turn could be read"
        return "; ".join((nothing, *_rest(done))) + "."
    verb = "would be captured" if done.dry_run else "captured"
    head = f"{counted(len(done.lessons), 'lesson')} {verb} from {turns}"
    return "; ".join((head, *_rest(done))) + "."


def _rest(done: Captured) -> Iterator[str]:
    if done.known:
        yield f"{done.known} known already"
    if done.refused:
        yield f"{done.refused} left out, for a secret stands there"
    if done.left_out:
        yield f"{done.left_out} more left out, being too many for one go"
    if done.broken:
        yield f"{counted(done.broken, 'line')} could not be read"


def render_waiting(
    found: Sequence[Entry], of: str | None, *, now: datetime, zone: tzinfo, width: int, colour: bool
) -> str:
    """A line for each memory that waits in an inbox, and what can be done with it."""
    if not found:
        return f"Nothing waits in the inbox of {of}." if of is not None else "Nothing waits in any inbox."
    listed = render_entries(found, total=len(found), now=now, zone=zone, width=width, colour=colour)
    return (
        f"{listed}\n"
        "Take it out:      vmem capture --review --keep MEMORY\n"
        "Give it to all:   vmem capture --review --keep MEMORY --to NAMESPACE\n"
        "Throw it away:    vmem capture --review --forget MEMORY"
    )


def render_look(memory: Memory, where: str, *, zone: tzinfo, colour: bool) -> str:
    """One of them as it is asked about: what it is, where it was said, when it expires, and its text."""
    said = memory.front.get("source_line")
    session = memory.front.get("source_session")
    parts = [
        styled(where, "dim", colour=colour),
        styled(memory.kind or "memory", "cyan", colour=colour),
        f"of {owner_of(memory.path)}",
        f"line {said}" if said else "",
        f"session {session}" if session else "",
        f"expires {memory.expires.astimezone(zone):%Y-%m-%d}" if memory.expires else "",
    ]
    head = "   ".join(harmless(part) for part in parts if part)
    lines = memory.body.strip().splitlines()
    text = [f"  {harmless(line)}" for line in lines[:LINES]]
    if len(lines) > LINES:
        text.append(f"  … and {counted(len(lines) - LINES, 'more line')}")
    return "\n".join([head, styled(harmless(memory.title), "bold", colour=colour), *text])
