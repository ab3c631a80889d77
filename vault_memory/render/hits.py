"""Search results as text: score, title, place, age, and the piece of text that matched."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

from vault_memory.model.age import age_in_words
from vault_memory.model.hit import Hit, SearchResult
from vault_memory.model.terms import cut, cut_query
from vault_memory.render.style import harmless, styled

_WORD = re.compile(r"\S+")
TITLE_WIDTH = 28


def render_hits(result: SearchResult, *, now: datetime, zone: tzinfo, width: int, colour: bool) -> str:
    """Two lines a hit and a last line with the count; `path:line` can be clicked in most terminals."""
    terms = frozenset(cut_query(result.query))
    lines: list[str] = []
    for hit in result.hits:
        lines += [_head(hit, now, zone, colour=colour), _snippet(hit, terms, width, colour=colour)]
    count = len(result.hits)
    if not count:
        lines.append(f"No memory matches (of {result.considered}; {result.mode}).")
    else:
        lines.append(f"{count} result{'' if count == 1 else 's'} ({result.mode})")
    return "\n".join(line for line in lines if line)


def _head(hit: Hit, now: datetime, zone: tzinfo, *, colour: bool) -> str:
    entry = hit.entry
    title = harmless(entry.title)
    place = f"{entry.path}:{hit.passages[0].passage.start_line if hit.passages else 1}"
    who = f", {entry.source_agent}" if entry.source_agent else ""
    when = age_in_words(entry.dated, now, zone)
    return (
        f" {styled(f'{hit.score:.2f}', 'cyan', colour=colour)}  {styled(title, 'bold', colour=colour)}"
        f"{' ' * max(2, TITLE_WIDTH - len(title))}{harmless(place)}    {when}{harmless(who)}"
    )


def _snippet(hit: Hit, terms: frozenset[str], width: int, *, colour: bool) -> str:
    """The part of the best passage around its first matching word, matches in ‹ ›."""
    if not hit.passages:
        return ""
    words = _WORD.findall(harmless(hit.passages[0].passage.text))
    room = max(20, width - 12)
    marked = [bool(terms.intersection(cut(word))) for word in words]
    first = marked.index(True) if True in marked else 0
    start = _start(words, first, room // 3)
    shown: list[str] = []
    length = 0
    for word, is_match in zip(words[start:], marked[start:], strict=True):
        if length + len(word) > room:
            break
        shown.append(styled(f"‹{word}›", "yellow", colour=colour) if is_match else word)
        length += len(word) + 1
    if not shown and words:
        shown, length = [words[start][:room]], room
    before = "… " if start else ""
    after = " …" if start + len(shown) < len(words) else ""
    text = before + " ".join(shown) + after
    return f"       {text}" if text.strip() else ""


def _start(words: list[str], first: int, room: int) -> int:
    """The word to begin with so that about `room` characters stand before the first match."""
    start, length = first, 0
    while start > 0 and length + len(words[start - 1]) < room:
        start -= 1
        length += len(words[start]) + 1
    return start
