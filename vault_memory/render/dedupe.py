"""Clusters of memories that say the same, as text."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.clip import clip, one_line
from vault_memory.model.clusters import Cluster, Deduped, Likeness
from vault_memory.model.ids import short
from vault_memory.model.memory import Memory
from vault_memory.model.revision import short as short_commit
from vault_memory.render.style import counted, harmless, styled

NOTHING = "No two memories of a namespace say the same."
MOST_LINES = 5
"""So many lines that only another memory has are shown of a cluster."""
WIDTH = 100
"""Characters of such a line."""
_SAYS = {Likeness.EXACT: "say the same", Likeness.NEAR: "say nearly the same"}


def render_clusters(found: Sequence[Cluster], *, colour: bool) -> str:
    """Each cluster with the memory that stays, the others, and what would go with them."""
    return "\n\n".join(render_cluster(one, colour=colour) for one in found) if found else NOTHING


def render_cluster(one: Cluster, *, colour: bool) -> str:
    """A cluster: which memory stays, which ones go into it, and what only those say."""
    count = counted(len(one.others) + 1, "memory", "memories")
    lines = [f"{count} of {harmless(one.namespace) or 'the vault itself'} {_SAYS[one.likeness]}:"]
    lines.append(f"  stays   {_named(one.keep, colour=colour)}")
    lines += [f"  goes    {_named(other, colour=colour)}" for other in one.others]
    for path, text in one.lines[:MOST_LINES]:
        shown = clip(one_line(text), WIDTH, ellipsis="…")
        lines.append(f"    only {harmless(path)} says: {harmless(shown)}")
    if len(one.lines) > MOST_LINES:
        lines.append(f"    and {len(one.lines) - MOST_LINES} more lines")
    lines += [f"    only {harmless(path)} has this value of {harmless(key)}" for path, key in one.keys]
    if one.stays:
        lines.append(styled(f"    they stay: {harmless(one.stays)}", "yellow", colour=colour))
    return "\n".join(lines)


def render_deduped(done: Deduped, *, colour: bool) -> str:
    """How many were merged, and the commit."""
    merged = done.merged
    if not merged:
        return ""
    mark = styled("✔", "green", colour=colour)
    gone = sum(len(one.others) for one in merged)
    into = counted(len(merged), "memory", "memories")
    told = f"committed {short_commit(done.commit)}" if done.commit else "not committed"
    return f"{mark} {counted(gone, 'duplicate')} merged into {into}   {told}"


def _named(one: Memory, *, colour: bool) -> str:
    parts = (styled(harmless(one.path), "bold", colour=colour), harmless(short(one.id)), harmless(one.title))
    return "   ".join(part for part in parts if part)
