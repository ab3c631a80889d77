"""One find in a text: which rule, and from where to where. It never leaves the adapter."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Find(NamedTuple):
    """The characters from `start` up to `end` are the secret itself, without its name or address."""

    rule: str
    start: int
    end: int


def stands_apart(text: str, at: int) -> bool:
    """Whether a word may begin at `at`: there is no letter or digit before it but that of a `\\n`."""
    if at == 0 or not text[at - 1].isalnum():
        return True
    return text[at - 1] in "nrt" and text[at - 2 : at - 1] == "\\"


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compiled when first needed: all the patterns at once would cost every command some 20 ms."""
    return re.compile(pattern, flags)
