"""Halves of characters, which JSON and a list of arguments can hold, and no file or database can."""

from __future__ import annotations


def without_halves(text: str) -> str:
    """The text with a question mark for each; nearly always that is the text itself."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
