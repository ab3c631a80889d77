"""Shortening text without cutting through what a reader sees as one character."""

from __future__ import annotations

import unicodedata


def clip(text: str, chars: int, *, max_bytes: int | None = None, ellipsis: str = "") -> str:
    """The longest beginning with at most that many characters (and bytes of UTF-8).

    `ellipsis` is appended where something was cut off, and counted.
    """
    if _fits(text, chars, max_bytes):
        return text
    chars -= len(ellipsis)
    if max_bytes is not None:
        max_bytes -= len(ellipsis.encode())
    seen = text[: max(chars, 0) + 1]
    end = (_end_in_ascii if seen.isascii() else _end)(seen, chars, max_bytes)
    return text[:end].rstrip() + ellipsis


def _end_in_ascii(text: str, chars: int, max_bytes: int | None) -> int:
    """The same as `_end`, of a text in which only a line end can be more than one character."""
    end = max(chars if max_bytes is None else min(chars, max_bytes), 0)
    return end - 1 if end and text[end - 1 : end + 1] == "\r\n" else end


def _end(text: str, chars: int, max_bytes: int | None) -> int:
    """Where the last cluster ends that fits. The last one seen may go on behind `text`: it then ends
    past `chars`."""
    # Imported here: most texts are short and need no grapheme table.
    import regex

    end = size = 0
    for cluster in regex.finditer(r"\X", text):
        size += len(cluster.group().encode("utf-8", "surrogatepass"))
        if cluster.end() > chars or (max_bytes is not None and size > max_bytes):
            break
        end = cluster.end()
    return end


def _fits(text: str, chars: int, max_bytes: int | None) -> bool:
    if len(text) > chars:
        return False
    return max_bytes is None or len(text.encode("utf-8", "surrogatepass")) <= max_bytes


def clip_words(text: str, chars: int, *, ellipsis: str = "") -> str:
    """Like `clip`, at the last space where one lies in the second half."""
    cut = clip(text, chars, ellipsis=ellipsis)
    if cut == text:
        return text
    kept = cut.removesuffix(ellipsis)
    if text[len(kept) : len(kept) + 1].isspace():
        return cut
    space = kept.rfind(" ")
    return kept[:space].rstrip() + ellipsis if space * 2 > chars else cut


def one_line(text: str) -> str:
    """The text with control and direction characters out and every run of white space one space."""
    if text.isprintable():  # then it holds neither, and no white space but plain spaces
        return " ".join(text.split())
    kept = (
        " " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char
        for char in text
        if char not in _DIRECTION
    )
    return " ".join("".join(kept).split())


_DIRECTION = frozenset(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x61C, 0xFEFF))
)
"""Marks that turn the direction of text and can make a line read as something else."""
