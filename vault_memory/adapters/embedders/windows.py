"""Cutting a text that is too long for a model into windows, so that its last words count too."""

from __future__ import annotations

from collections.abc import Callable

_SEAMS = ("\n\n", "\n", "。", ". ", " ")
"""Where a text may be cut, best first; where there is none, in the middle."""


def windows(text: str, room: int, count: Callable[[str], int]) -> list[str]:
    """Pieces in order, each of at most `room` tokens as `count` has it.

    Halving keeps the pieces about equally long and needs nothing of a tokenizer but counts.
    """
    text = text.strip()
    if len(text) < 2 or count(text) <= room:
        return [text] if text else []
    cut = _seam(text)
    return [*windows(text[:cut], room, count), *windows(text[cut:], room, count)]


def _seam(text: str) -> int:
    """The best place to cut near the middle: within the middle half, the seam nearest to it."""
    middle, reach = len(text) // 2, max(1, len(text) // 4)
    for seam in _SEAMS:
        before = text.rfind(seam, middle - reach, middle)
        after = text.find(seam, middle, middle + reach)
        places = [place + len(seam) for place in (before, after) if 0 <= place < len(text) - len(seam)]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return middle
