"""Parting a line that is too long for one passage: after sentences, words, or at worst characters."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+\s++|[。！？．]++[」』”’）]*+\s*+")
_BLANK = re.compile(r"\s++")


def size(text: str) -> int:
    """Bytes in UTF-8, which follow a model's tokens across scripts better than characters do."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def split_line(line: str, limit: int) -> list[str]:
    """Pieces of at most `limit` bytes each that make up the line again when joined.

    What a person sees as one character stays whole, even where it alone is longer than the limit.
    """
    pieces: list[str] = []
    start = 0
    while start < len(line):
        end = _piece_end(line, start, limit)
        pieces.append(line[start:end])
        start = end
    return pieces


def _piece_end(line: str, start: int, limit: int) -> int:
    window = line[start : start + limit + 1]
    fits = min(limit, len(window)) if window.isascii() else _fitting(window, limit)
    if start + fits >= len(line):
        return len(line)
    bounds = None if window.isascii() else _character_ends(window, fits)
    if bounds is not None and not bounds:
        return _first_character_end(line, start)
    for ends in (_SENTENCE_END, _BLANK):
        at = [
            match.end() for match in ends.finditer(window, 0, fits) if bounds is None or match.end() in bounds
        ]
        if at and at[-1] >= fits // 4:  # an earlier one would leave a scrap
            return start + at[-1]
    return start + (fits if bounds is None else max(bounds))


def _fitting(window: str, limit: int) -> int:
    """How many characters of the window make at most `limit` bytes."""
    return len(window.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore"))


def _character_ends(window: str, fits: int) -> set[int]:
    """Where characters as a person sees them end, up to `fits`; the window goes on behind that."""
    return {end for match in _characters().finditer(window) if (end := match.end()) <= fits}


def _first_character_end(line: str, start: int) -> int:
    end: int = _characters().match(line, start).end()
    return end


@cache
def _characters() -> Any:
    import regex  # 30 ms to load, and hardly a memory has a line this long

    return regex.compile(r"\X")
