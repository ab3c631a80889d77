"""Words for terminals: colour around a piece of text, its width, and a number with its noun."""

from __future__ import annotations

from vault_memory.model.cells import cells

__all__ = ["cells", "counted", "filled", "harmless", "styled"]

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_JOINERS = "\u200c\u200d"
"""They hold letters and emoji together and move nothing."""


def styled(text: str, style: str, *, colour: bool) -> str:
    """The text in a style of the table above; as it is without colour."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if colour and text else text


def harmless(text: str) -> str:
    """The text on one line without control characters, so that a title can't steer a terminal."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in _JOINERS else " " for one in text)


def filled(text: str, width: int) -> str:
    """The text with blanks behind it, so that it takes that many columns."""
    return text + " " * (width - cells(text))


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 memory`, `2 memories`: the number with its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
