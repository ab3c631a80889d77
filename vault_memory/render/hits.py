"""Search results as text: score, title, place, age, and the piece of text that matched."""

from __future__ import annotations

from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.hit import Hit, SearchResult
from vault_memory.model.terms import cut_query
from vault_memory.render.snippet import snippet
from vault_memory.render.style import cells, counted, harmless, styled

TITLE_WIDTH = 28
INDENT = " " * 7


def render_hits(result: SearchResult, *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """Two lines a hit and a last line with the count; `path:line` can be clicked in most terminals."""
    lines: list[str] = []
    for hit in result.hits:
        lines.append(_head(hit, now, zone, colour=colour))
        if hit.passages and (text := hit.passages[0].passage.text).strip():
            room = max(20, width - 2 * len(INDENT) + 2)
            lines.append(INDENT + snippet(text, result.query, room, colour=colour))
    if result.hits:
        lines.append(f"{counted(len(result.hits), 'result')} ({result.mode})")
    elif result.filtered_out:
        matching = counted(result.filtered_out, "memory matches", "memories match")
        lines.append(
            f"{matching} the words, none of them the filter (of {result.considered:,}; {result.mode})."
        )
    elif cut_query(result.query):
        lines.append(f"No memory matches (of {result.considered:,}; {result.mode}).")
    else:
        lines.append("There is no word to look for: very common words and signs are not looked up.")
    return "\n".join(lines)


def _head(hit: Hit, now: datetime, zone: tzinfo, *, colour: bool) -> str:
    entry = hit.entry
    title = harmless(entry.title)
    place = f"{entry.path}:{hit.passages[0].passage.start_line if hit.passages else 1}"
    who = f", {entry.source_agent}" if entry.source_agent else ""
    when = age_in_words(entry.dated, now, zone)
    return (
        f" {styled(f'{hit.score:.2f}', 'cyan', colour=colour)}  {styled(title, 'bold', colour=colour)}"
        f"{' ' * max(2, TITLE_WIDTH - cells(title))}{harmless(place)}    {when}{harmless(who)}{_marked(hit)}"
    )


def _marked(hit: Hit) -> str:
    return f", superseded by {harmless(hit.superseded_by)}" if hit.superseded_by else ""
