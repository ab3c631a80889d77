"""Colour for terminals: a word of style around a piece of text, or the text alone."""

from __future__ import annotations

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def styled(text: str, style: str, *, colour: bool) -> str:
    """The text in a style of the table above; as it is without colour."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if colour and text else text


def harmless(text: str) -> str:
    """The text on one line without control characters, so that a title can't steer a terminal."""
    return "".join(one if one.isprintable() else " " for one in text)
