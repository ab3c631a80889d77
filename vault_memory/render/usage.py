"""What local traces say, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.memory import Entry
from vault_memory.model.usage import Usage
from vault_memory.model.uses import DAYS
from vault_memory.render.columns import columns
from vault_memory.render.style import counted, harmless, styled

OFF = "Nothing is noted now: the setting traces is off."


def render_usage(found: Usage, *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """The totals, a line a door, then the memories given most and those never given."""
    if not found.answers:
        return f"{_nothing(found)}" if found.traced else f"{_nothing(found)} {OFF}"
    lines = [_total(found, now, zone)]
    if not found.traced:
        lines.append(f"  {OFF}")
    lines.append(f"  about {counted(found.tokens, 'token')} given, {_saved(found)}")
    if found.removed:
        what = "memory that was given is" if found.removed == 1 else "memories that were given are"
        lines.append(f"  {found.removed:,} {what} no longer there")
    doors = [
        (
            f"  {harmless(one.door)}",
            counted(one.answers, "answer"),
            f"{_share(one.hits, one.answers)} gave memories",
            counted(one.given, "memory", "memories"),
            counted(one.tokens, "token"),
        )
        for one in found.doors
    ]
    lines += _section("answers", doors, width, colour)
    most = [
        (f"  {one.answers:,}×", age_in_words(one.last, now, zone), *_named(one.memory)) for one in found.most
    ]
    lines += _section(f"given most (of {found.recalled:,})", most, width, colour)
    idle = [(f"  {one.importance:g}", age_in_words(one.dated, now, zone), *_named(one)) for one in found.idle]
    never = "not given then" if found.since or found.until else "never given"
    lines += _section(f"{never} ({found.never:,}), the most important first", idle, width, colour)
    return "\n".join(lines)


def render_lately(found: Usage, days: int) -> str:
    """The same in three lines, below other numbers; empty where nothing was given."""
    if not found.answers:
        return ""
    memories = f"{found.recalled:,} of {counted(found.recalled + found.never, 'memory', 'memories')}"
    less = (
        f", {_share(found.saved, found.everything)} less than with all memories in each"
        if found.saved
        else ""
    )
    return (
        f"given in the last {days} days\n"
        f"  {counted(found.answers, 'answer')}, {_share(found.hits, found.answers)} gave memories\n"
        f"  {memories}, about {counted(found.tokens, 'token')}{less}\n"
        "  which most, and which never: vmem stats --uses"
    )


def render_forgotten(count: int) -> str:
    """That the traces are gone."""
    return f"✔ forgotten: what was noted of {counted(count, 'answer')}"


def _nothing(found: Usage) -> str:
    when = " in that time" if found.since or found.until else ""
    return f"No answer was noted{when}; {counted(found.never, 'memory', 'memories')} could have been given."


def _total(found: Usage, now: datetime, zone: tzinfo) -> str:
    assert found.first is not None, "there is an answer"
    gave = f"{found.hits:,} gave memories ({_share(found.hits, found.answers)})"
    since = age_in_words(found.first, now, zone)
    return f"{counted(found.answers, 'answer')}, {gave}; the oldest is of {since} (kept {DAYS} days)"


def _saved(found: Usage) -> str:
    """What answers save against all memories in each of them."""
    each = f"all memories ({found.whole:,} tokens now) in each"
    if not found.saved:
        return f"no less than with {each}"
    return f"{found.saved:,} less than with {each} ({_share(found.saved, found.everything)})"


def _share(part: int, whole: int) -> str:
    """As a percentage; only all of it is 100 %, and only nothing is 0 %."""
    if not whole or not part:
        return "0%"
    return "100%" if part >= whole else f"{min(max(round(100 * part / whole), 1), 99)}%"


def _named(entry: Entry) -> tuple[str, str]:
    return harmless(entry.title), harmless(entry.path)


def _section(title: str, rows: Sequence[tuple[str, ...]], width: int, colour: bool) -> list[str]:
    if not rows:
        return []
    # No head: a row says itself what it counts.
    table = columns(("",) * len(rows[0]), rows, width, colour=colour).rstrip("\n").split("\n")
    return ["", styled(title, "bold", colour=colour), *(table[1:] if colour else table)]
