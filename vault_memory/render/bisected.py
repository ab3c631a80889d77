"""Since when a question no longer finds a memory, for people."""

from __future__ import annotations

from datetime import tzinfo

from vault_memory.model.bisected import Bisected, Looked, Since
from vault_memory.model.revision import short
from vault_memory.render.style import counted, harmless


def render_bisected(found: Bisected, *, zone: tzinfo) -> str:
    """What was found out, and what to look at next."""
    return "\n".join(_TELLING[found.since](found, zone))


def _lost(found: Bisected, zone: tzinfo) -> list[str]:
    last, first = found.last_found, found.first_lost
    assert last is not None
    assert first is not None
    by = found.by
    who = "" if by is None else ": ".join(one for one in (by.agent or by.author, by.subject) if one)
    lines = [
        f"{_question(found)} stopped finding {harmless(found.path)} with commit {_short(first)}.",
        f"  {_short(last)}  {_when(last, zone)}  found, place {last.place}",
        f"  {_short(first)}  {_when(first, zone)}  {_became(first)}",
        *([f"           {harmless(who)}"] if who else []),
        f"{_looked_at(found)}. Next: vmem diff {_short(last)} {_short(first)}",
    ]
    if found.now is not None:
        lines.append(f"Of the files as they are now it comes back, place {found.now}.")
    return lines


def _found(found: Bisected, _: tzinfo) -> list[str]:
    last = found.last_found
    assert last is not None
    told = f"{_question(found)} finds {harmless(found.path)} as of the last commit, place {last.place}."
    if found.now is not None:
        return [told]
    why = "a change that is not committed yet (vmem diff), or an end that has come (vmem list --expired)"
    return [told, f"Of the files as they are now it does not come back: {why}."]


def _never(found: Bisected, _: tzinfo) -> list[str]:
    there = sum(one.exists for one in found.looked)
    lines = [
        f"{_question(found)} found {harmless(found.path)} at none of the commits that were looked at.",
        f"{_looked_at(found)}; the memory was there at {there} of them.",
    ]
    if found.now is not None:
        lines.append(f"Of the files as they are now it comes back, place {found.now}: commit them.")
    return lines


_TELLING = {Since.LOST: _lost, Since.FOUND: _found, Since.NEVER: _never}


def _became(first: Looked) -> str:
    if not first.exists:
        return "it is not there any more"
    if first.expired:
        return "it has expired by then, which is no commit's doing"
    return "it is there, and does not come back"


def _question(found: Bisected) -> str:
    return f'"{harmless(found.query)}"'


def _looked_at(found: Bisected) -> str:
    return f"{len(found.looked)} of {counted(found.commits, 'commit')} looked at"


def _short(one: Looked) -> str:
    return short(one.point.commit)


def _when(one: Looked, zone: tzinfo) -> str:
    return f"{one.point.when.astimezone(zone):%Y-%m-%d %H:%M}"
