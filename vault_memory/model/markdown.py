"""Telling code from prose in Markdown, and finding the first heading."""

from __future__ import annotations

import re
from bisect import bisect_right

_FENCE = re.compile(
    r"^(?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t])*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$", re.MULTILINE
)
_LOWER_HEADING = re.compile(r"^ {0,3}#{2,6}[ \t]", re.MULTILINE)
_MAY_HEAD = re.compile(r"#(?<!##)[ \t]")
_HEADING = re.compile(r"^ {0,3}#[ \t]+([^\n]*)$", re.MULTILINE)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+$")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]")
_TICKS = re.compile(r"`+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_NOT_NEWLINE = re.compile(r"[^\n]")

Spans = list[tuple[int, int]]
"""Ascending, not overlapping (start, end) offsets."""


def fenced_spans(text: str) -> Spans:
    """The fenced code blocks, fence lines included; one that never closes goes to the end."""
    if "```" not in text and "~~~" not in text:
        return []
    spans: Spans = []
    opened = ""
    start = 0
    for found in _FENCE.finditer(text):
        mark, info = found["mark"], found["info"]
        if not opened:
            if mark[0] == "~" or "`" not in info:
                opened, start = mark, found.start()
        elif mark[0] == opened[0] and len(mark) >= len(opened) and not info.strip():
            spans.append((start, found.end()))
            opened = ""
    if opened:
        spans.append((start, len(text)))
    return spans


def indented_spans(text: str) -> Spans:
    """The lines of code blocks that are made by indentation, of which lists have none."""
    spans: Spans = []
    at = 0
    above_blank, in_list, in_code = True, False, False
    for line in text.split("\n"):
        bare = line.lstrip(" \t")
        if bare:
            indented = line.startswith(("    ", "\t", " \t", "  \t", "   \t"))
            in_code = indented and not in_list and (above_blank or in_code)
            if in_code:
                spans.append((at, at + len(line)))
            elif _ITEM.match(bare):
                in_list = True
            elif bare is line and (above_blank or line.startswith("#")):
                in_list = False
        above_blank = not bare
        at += len(line) + 1
    return spans


def inside(spans: Spans, offset: int) -> bool:
    """Whether the offset lies in one of the spans."""
    at = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return at >= 0 and offset < spans[at][1]


def without_code(text: str, fences: Spans) -> str:
    """The text with fenced blocks and inline code blanked, every other offset and line as before."""
    if fences:
        pieces: list[str] = []
        last = 0
        for start, end in fences:
            pieces += (text[last:start], _blank(text[start:end]))
            last = end
        text = "".join((*pieces, text[last:]))
    return _without_inline(text) if "`" in text else text


def first_heading(text: str, fences: Spans) -> str | None:
    """The text of the first heading outside code, if it is one of the first level.

    Below a heading of a lower level it is no title of the whole, but of a part.
    """
    if not _MAY_HEAD.search(text):  # a tenth of what it takes to look at the beginning of each line
        return None
    for found in _HEADING.finditer(text):
        heading = bare_heading(found[1])
        if heading and not inside(fences, found.start()):
            lower = (one.start() for one in _LOWER_HEADING.finditer(text, 0, found.start()))
            return None if any(not inside(fences, at) for at in lower) else heading
    return None


def bare_heading(text: str) -> str:
    """What follows the `#` of a heading, without hashes that close it."""
    return _CLOSING_HASHES.sub("", text.rstrip()).strip()


def _without_inline(text: str) -> str:
    pieces: list[str] = []
    last = 0
    for found in (*_PARAGRAPH_END.finditer(text), None):
        end = found.end() if found else len(text)
        paragraph = text[last:end]
        pieces.append(_inline_blanked(paragraph) if "`" in paragraph else paragraph)
        last = end
    return "".join(pieces)


def _inline_blanked(paragraph: str) -> str:
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(paragraph)]
    following: dict[int, int] = {}
    partner = [0] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        length = runs[number][1] - runs[number][0]
        partner[number] = following.get(length, -1)
        following[length] = number
    pieces: list[str] = []
    last = number = 0
    while number < len(runs):
        other = partner[number]
        if other < 0:
            number += 1
            continue
        start, end = runs[number][0], runs[other][1]
        pieces += (paragraph[last:start], _blank(paragraph[start:end]))
        last, number = end, other + 1
    return "".join((*pieces, paragraph[last:]))


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)
