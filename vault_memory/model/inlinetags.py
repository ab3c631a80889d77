"""Finding `#tags` in a body's prose, by the rules that Obsidian has for them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from vault_memory.model.markdown import Spans, indented_spans, inside, without_code
from vault_memory.model.normalform import normalized

MAX_TAG = 100
"""A longer run of characters is a blob and no tag."""

# All but white space, ASCII signs, and the punctuation of other scripts; joiners hold emoji together.
_TAG = re.compile(
    r"(?<!\S)#([^\s!-,.:-@\[-^`{-~\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\u3001-\u3003\u3008-\u3020\u3030"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+)"
)
_SEEN_AS_TAG = re.compile(r"#(?<!\S#)[^\s#]")  # looks behind last: so the regex begins with what is rare
_COLOUR = re.compile(r"(?=[a-f]*[0-9])(?:[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_LINKED = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)|<[A-Za-z/][^<>\n]*>")
"""Targets of links, and HTML tags with what they hold."""
_VERBATIM = re.compile(r"<(pre|code|style|script|svg)\b", re.IGNORECASE)
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))
_NOT_A_BREAK = re.compile(r"[^\n]")


def inline_tags(body: str, fences: Spans) -> tuple[str, ...]:
    """The tags of `#tag` in prose, each once (in any case), as first written.

    None from code, comments, HTML, links, of digits only or in the form of a colour. `fences` are
    `markdown.fenced_spans(body)`.
    """
    if "#" not in body or not _SEEN_AS_TAG.search(body):
        return ()
    found: dict[str, str] = {}
    for tag in _tags_in(body, fences):
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def _tags_in(body: str, fences: Spans) -> Iterator[str]:
    prose = _shown(without_code(body, fences))
    if "[" in prose or "<" in prose:
        prose = _LINKED.sub(lambda linked: _blank(linked[0]), prose)
    indented: Spans | None = None
    last = 0
    for found in _TAG.finditer(prose):
        start = found.start()
        line = body.rfind("\n", last, start) + 1
        # Behind another one of its line it has more than blanks before it.
        is_first, last = line > 0 or last == 0, found.end()
        tag = normalized("NFC", found[1].rstrip("/"))
        if not _is_tag(tag) or (start and not body[start - 1].isspace()):
            continue
        if is_first and body[line:start].isspace():
            indented = indented_spans(body) if indented is None else indented
            if inside(indented, start):
                continue
        yield tag


def _is_tag(tag: str) -> bool:
    """Whether it holds more than digits, and more than signs."""
    if len(tag) > MAX_TAG or tag.isdecimal() or _COLOUR.fullmatch(tag):
        return False
    return any(char.isalnum() or unicodedata.category(char) == "So" for char in tag)


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """Comments and HTML whose content is no prose; what is never closed hides nothing."""
    for opening, closing in _COMMENTS:
        at = text.find(opening)
        while at >= 0:
            end = text.find(closing, at + len(opening))
            if end < 0:
                break
            yield at, end + len(closing)
            at = text.find(opening, end + len(closing))
    if "<" not in text:
        return
    never_closed: set[str] = set()
    lower = text.lower() if text.isascii() else text
    done = 0
    for opened in _VERBATIM.finditer(text):
        name = opened[1].lower()
        if opened.start() < done or name in never_closed:
            continue
        end = lower.find(f"</{name}", opened.end())
        if end < 0:
            never_closed.add(name)
            continue
        done = end
        yield opened.start(), end


def _shown(text: str) -> str:
    """The text with what is hidden in it blanked, every other offset as before."""
    pieces: list[str] = []
    last = 0
    for start, end in sorted(_hidden(text)):
        if end > last:
            pieces += (text[last:start], _blank(text[max(start, last) : end]))
            last = end
    return "".join((*pieces, text[last:])) if pieces else text


def _blank(text: str) -> str:
    return _NOT_A_BREAK.sub(" ", text)
