"""What a look for secrets through all of history found, as text: where, and never what."""

from __future__ import annotations

from vault_memory.model.past import Buried, Unearthed
from vault_memory.model.revision import short
from vault_memory.render.style import cells, counted, filled, harmless, styled


def render_unearthed(one: Unearthed, *, colour: bool) -> str:
    """A line a file and rule, those of messages last, then the count."""
    places = [_place(each) for each in one.found]
    width = max(map(cells, places), default=0)
    rules = max((cells(each.rule) for each in one.found), default=0)
    lines = [
        f"{filled(place, width)}   {styled(filled(each.rule, rules), 'red', colour=colour)}   {_when(each)}"
        for place, each in zip(places, one.found, strict=True)
    ]
    found = counted(len(one.found), "secret") if one.found else "no secrets"
    lines.append(f"{found} in {counted(one.versions, 'version')} of files, {counted(one.commits, 'commit')}")
    return "\n".join(lines)


def _place(one: Buried) -> str:
    return f"commit {short(one.first)}" if one.path is None else f"{harmless(one.path)}:{one.line}"


def _when(one: Buried) -> str:
    day = f"{one.when:%Y-%m-%d}, {harmless(one.author)}"
    if one.path is None:
        return f"in its message, {day}"
    since = f"since {short(one.first)} of {day}"
    several = f", in {one.versions:,} versions" if one.versions > 1 else ""
    return f"{since}{several}; {'it is still there' if one.present else 'only history has it'}"
