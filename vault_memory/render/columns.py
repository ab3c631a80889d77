"""Rows as aligned columns: ten thousand of them in a blink, which a table of rich's is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from operator import le

from vault_memory.model.cells import cells
from vault_memory.render.style import filled, styled

GAP = "  "
NARROWEST = 16
"""No column is folded to less, however narrow the terminal is."""
WIDEST = 200
"""What is wider sets no column's width: one title of a hundred thousand letters must not fill every row."""


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], width: int, *, colour: bool) -> str:
    """One line a row, two blanks between columns; with colour, on a terminal, under a head.

    There the last two columns are folded where the terminal is narrow; nothing is cut off.
    """
    if not rows:
        return ""
    shown = [head, *rows] if colour else rows
    sizes = [list(map(_size, column)) for column in zip(*shown, strict=True)]
    natural = [max((size for size in column if size <= WIDEST), default=WIDEST) for column in sizes]
    widths = _narrowed(natural, width) if colour else natural
    lines: list[str] = []
    for row, row_sizes in zip(shown, zip(*sizes, strict=True), strict=True):
        lines += _lines(row, row_sizes, widths, fold=colour)
    if colour:
        lines[0] = styled(lines[0], "dim", colour=True)
    return "\n".join(lines) + "\n"


def _size(text: str) -> int:
    """How many columns of a terminal its longest line takes."""
    return cells(text) if "\n" not in text else max(map(cells, text.split("\n")))


def _narrowed(widths: list[int], width: int) -> list[int]:
    """The widths, those of the last two columns so small that a line fits; the wider one gives way."""
    *fixed, left, right = widths
    room = max(width - sum(fixed) - len(GAP) * (len(widths) - 1), 2 * NARROWEST)
    if left + right <= room:
        return widths
    if left <= room // 2:
        return [*fixed, left, room - left]
    if right <= room // 2:
        return [*fixed, room - right, right]
    return [*fixed, room - room // 2, room // 2]


def _lines(row: Sequence[str], sizes: Sequence[int], widths: Sequence[int], *, fold: bool) -> list[str]:
    if not any("\n" in text for text in row) and (not fold or all(map(le, sizes, widths))):
        padded = (text + " " * (width - size) for text, size, width in zip(row, sizes, widths, strict=True))
        return [GAP.join(padded).rstrip()]
    folded = [
        [piece for line in text.split("\n") for piece in _folded(line, width)]
        for text, width in zip(row, widths, strict=True)
    ]
    return [GAP.join(map(filled, line, widths)).rstrip() for line in zip_longest(*folded, fillvalue="")]


def _folded(text: str, width: int) -> list[str]:
    """The text in pieces of at most that many columns."""
    if cells(text) <= width:
        return [text]
    pieces, piece, taken = [], "", 0
    for one in text:
        size = cells(one)
        if piece and taken + size > width:
            pieces.append(piece)
            piece, taken = "", 0
        piece += one
        taken += size
    return [*pieces, piece]
