"""Why each memory scored as it did, and why others are not shown."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.hit import Dropped, Hit, Parts, Recall, SearchResult
from vault_memory.render.style import harmless

MOST = 20
"""So many left-out memories are named; the rest are counted."""


def explain_recall(found: Recall) -> str:
    """A line a memory shown with the parts of its score, then a line a memory left out."""
    lines = [f"{found.tokens} of {found.budget} tokens ({found.mode})"]
    for item in found.items:
        entry = item.hit.entry
        lines.append(
            f"  {item.hit.score:.2f}  {_parts(item.hit.parts)}  {harmless(entry.path)}"
            f"  {item.shown.value}, {item.tokens} tokens{_marked(item.hit)}"
        )
    return "\n".join([*lines, *_dropped(found.omitted)])


def explain_search(found: SearchResult) -> str:
    """The same for a search."""
    lines = [f"{len(found.hits)} shown ({found.mode})"]
    lines += [
        f"  {hit.score:.2f}  {_parts(hit.parts)}  {harmless(hit.entry.path)}{_marked(hit)}"
        for hit in found.hits
    ]
    return "\n".join([*lines, *_dropped(found.dropped)])


def _marked(hit: Hit) -> str:
    return f", superseded by {harmless(hit.superseded_by)}" if hit.superseded_by else ""


def _parts(parts: Parts | None) -> str:
    if parts is None:
        return "not scored"
    meaning = "" if parts.meaning is None else f" + meaning {parts.meaning:.2f}"
    return (
        f"relevance {parts.relevance:.2f} (keyword {parts.keyword:.2f}{meaning})"
        f" · importance {parts.importance:.2f} · recency {parts.recency:.2f}"
    )


def _dropped(dropped: Sequence[Dropped]) -> list[str]:
    if not dropped:
        return []
    lines = ["left out:"]
    for one in dropped[:MOST]:
        kept = harmless(one.instead_of) if one.instead_of else ""
        detail = f" ({kept})" if kept else f" ({one.tokens} tokens)" if one.tokens else ""
        score = f"{one.score:.2f}" if one.parts else "  – "
        path = harmless(one.entry.path)
        lines.append(f"  {score}  {_parts(one.parts)}  {path}  {one.reason.value}{detail}")
    if len(dropped) > MOST:
        lines.append(f"  and {len(dropped) - MOST} more (--json shows all)")
    return lines
