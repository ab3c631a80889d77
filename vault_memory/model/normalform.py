"""Unicode's normal forms, in a time that grows with the text and no faster, whatever it holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

_STRETCH = 250
"""Characters that are brought into form at a time. Python puts the marks on one letter in order by a time
that grows with the square of their number: a megabyte of nothing but marks would take a quarter of an
hour."""


def normalized(form: Form, text: str) -> str:
    """The text in that form, as Unicode has it, but that hundreds of marks on one letter are put in order
    some hundred at a time: no script has more than a dozen."""
    if text.isascii():
        return text
    if len(text) <= 4 * _STRETCH:
        return unicodedata.normalize(form, text)
    return "".join(unicodedata.normalize(form, stretch) for stretch in _stretches(text))


def _stretches(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = _end(text, start + _STRETCH)
        yield text[start:end]
        start = end


def _end(text: str, least: int) -> int:
    """The first place from `least` on where the text may be parted, or one so far off that it must be."""
    if least >= len(text):
        return len(text)
    most = min(least + _STRETCH, len(text))
    for at in range(least, most):
        if _begins(text[at]):
            return at
    return most


def _begins(character: str) -> bool:
    """Whether it neither moves before nor melts into what stands before it, in any form."""
    if character.isascii():
        return True
    first = unicodedata.normalize("NFKD", character)[0]
    return not (
        unicodedata.combining(first)
        or unicodedata.category(first).startswith("M")
        or "\u1160" <= first <= "\u11ff"  # letters that go on with a Hangul syllable
        or first == "\U00016d67"  # a vowel that is no mark and melts all the same, since Unicode 16
    )
