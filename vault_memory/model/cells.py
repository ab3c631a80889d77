"""How many columns of a terminal a text takes."""

from __future__ import annotations

import unicodedata


def cells(text: str) -> int:
    """Two for a Chinese character, none for an accent, one for most others."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(one: str) -> int:
    if unicodedata.category(one) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(one) in "WF" else 1
