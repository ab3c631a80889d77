"""Shortening a text to a number of tokens, where a reader would pause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from vault_memory.model.markdown import Spans, fenced_spans

_PAUSES = re.compile(r"\n|[.!?…]++[\"'”’)\]*_]*+(?=\s)|[。！？．]++[」』”’）]*+")
"""Ends of lines and sentences."""
_WORD_ENDS = re.compile(r"(?<=\S)(?=\s)")


def trim(text: str, limit: int, count: Callable[[str], int]) -> str:
    """The longest beginning of the text that counts at most `limit`; empty where there is none.

    It ends after a line or a sentence; where not even the first fits, after a word, at worst after
    a character as a person sees it. A code fence is in it whole or not at all.
    """
    if count(text) <= limit:
        return text
    fences = fenced_spans(text)
    for ends in (_pauses, _words, _characters):
        kept = _longest(text, [end for end in ends(text) if not _inside(end, fences)], limit, count)
        if kept:
            return kept
    return ""


def _longest(text: str, ends: Sequence[int], limit: int, count: Callable[[str], int]) -> str:
    """The beginning up to the last of the ascending ends at which it still fits."""
    best = ""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        beginning = text[: ends[middle]].rstrip()
        if count(beginning) <= limit:
            best, low = beginning, middle + 1
        else:
            high = middle
    return best


def _inside(end: int, fences: Spans) -> bool:
    return any(first < end < last for first, last in fences)


def _pauses(text: str) -> Iterator[int]:
    return (found.end() for found in _PAUSES.finditer(text))


def _words(text: str) -> Iterator[int]:
    return (found.end() for found in _WORD_ENDS.finditer(text))


def _characters(text: str) -> Iterator[int]:
    if text.isascii() and "\r" not in text:
        return iter(range(1, len(text) + 1))
    import regex  # 30 ms to load, and hardly a text has no room for its first word

    return (found.end() for found in regex.finditer(r"\X", text))
