"""Links and moves as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.linked import BrokenLinks, Linked, MemoryLinks
from vault_memory.model.linkmap import Leads, Resolution
from vault_memory.model.links import LINK
from vault_memory.model.memory import Link
from vault_memory.model.outcome import Moved
from vault_memory.render.style import cells, counted, filled, harmless, styled

_LEADS = {
    Leads.FILE: "a file that is no memory",
    Leads.ELSEWHERE: "outside of the vault",
    Leads.NOTHING: "broken: no memory is called so",
}
MOST_BROKEN = 10
"""So many links that a move breaks are named; the rest are counted."""


def render_memory_links(one: MemoryLinks, *, broken_only: bool, colour: bool) -> str:
    """The memory's own links with what they lead to, then those that lead to it."""
    out = one.broken if broken_only else one.out
    path = harmless(one.entry.path)
    if not out and (broken_only or not one.back):
        return f"{path} has no {'broken links' if broken_only else 'links, and none lead to it'}."
    lines: list[str] = []
    if out:
        lines += [styled(f"{path} links to", "bold", colour=colour), *_rows(out, colour=colour)]
    if one.back and not broken_only:
        head = styled(f"{path} is linked from", "bold", colour=colour)
        lines += [head, *(f"  {_place(back)}  {_written(back.link)}" for back in one.back)]
    return "\n".join(lines)


def render_broken_links(one: BrokenLinks, *, colour: bool) -> str:
    """Every broken link by path and line, and the count."""
    of = f"{counted(one.links, 'link')} in {counted(one.memories, 'memory', 'memories')}"
    if not one.broken:
        return f"No broken links: all of {of} lead somewhere."
    width = max(cells(_place(each)) for each in one.broken)
    lines = [f"{filled(_place(each), width)}  {_written(each.link)}" for each in one.broken]
    return "\n".join([*lines, styled(f"{len(one.broken):,} broken of {of}", "yellow", colour=colour)])


def render_updated(moved: Moved) -> str:
    """How many links were changed with a move; empty for none."""
    if not moved.updated:
        return ""
    links = sum(count for _, count in moved.updated)
    return f"  {counted(links, 'link')} changed in {counted(len(moved.updated), 'memory', 'memories')}"


def render_cut_off(moved: Moved, *, update_links: bool) -> str | None:
    """What to say of links that no longer lead where they led; `None` where there are none."""
    if not moved.broken:
        return None
    files = {path for path, _ in moved.broken}
    shown = [f"{path}:{link.line}" for path, link in moved.broken[:MOST_BROKEN]]
    rest = len(moved.broken) - len(shown)
    where = ", ".join(shown) + (f" and {rest:,} more" if rest else "")
    what = f"{counted(len(moved.broken), 'link')} in {counted(len(files), 'memory', 'memories')}"
    lead = "leads where it led" if len(moved.broken) == 1 else "lead where they led"
    if update_links:
        return f"{what} could not be changed and no longer {lead}: {where}"
    again = "vmem undo, then move it without --no-update-links"
    return f"{what} no longer {lead}: {where}; to change them too: {again}"


def _rows(links: Sequence[Linked], *, colour: bool) -> list[str]:
    places = [_place(one) for one in links]
    written = [_written(one.link) for one in links]
    widths = max(map(cells, places)), max(map(cells, written))
    return [
        f"  {filled(place, widths[0])}  {filled(text, widths[1])}  {_leads(one.leads, colour=colour)}"
        for one, place, text in zip(links, places, written, strict=True)
    ]


def _place(one: Linked) -> str:
    return f"{harmless(one.path)}:{one.link.line}"


def _written(link: Link) -> str:
    """The link as it is written, after the key that it stands under, if any."""
    label = f"|{link.label}" if link.label else ""
    text = harmless(f"[[{link.target}{label}]]")
    return text if link.kind == LINK else f"{harmless(link.kind)}: {text}"


def _leads(to: Resolution, *, colour: bool) -> str:
    if to.path is None:
        text = _LEADS[to.leads]
        return styled(text, "red", colour=colour) if to.broken else text
    if not to.ambiguous:
        return harmless(to.path)
    more = ", …" if len(to.paths) > 2 else ""
    also = f"fits {counted(len(to.paths) - 1, 'other')} too: {harmless(to.paths[1])}{more}"
    return f"{harmless(to.path)}  ({also})"
