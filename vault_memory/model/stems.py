"""Cutting the endings off words, by their letters alone or by the language that they are of."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Stem = Callable[[str], str]

_BY_SCRIPT = (
    ("[\u0370-\u03ff]+", "greek"),
    ("[\u0400-\u04ff]+", "russian"),
    ("[\u0620-\u064a]+", "arabic"),
)
"""Scripts whose words are all cut alike, whatever language of it they are of: the same on both sides."""

_SHORT_I = re.compile("(?<=[аеиоуыэюя])и$")


def stem(word: str) -> str:
    """The stem of a folded word: by its letters alone, so that a text and a query give the same one."""
    if len(word) < 3:
        return word
    if word.isascii():
        return _stemmer("porter")(word) if word.isalpha() else word
    for pattern, name in _by_script():
        if pattern.fullmatch(word):
            return stem_in(name, word)
    return word


def stem_in(language: str, word: str) -> str:
    """The stem of a folded word of that language."""
    if language == "russian":
        word = _SHORT_I.sub("й", word)  # folding makes й an и
    return _stemmer(language)(word)


@cache
def _by_script() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(letters), name) for letters, name in _BY_SCRIPT)


class _ThreadStemmers(threading.local):
    """A stemmer keeps its working memory in itself, so each thread has its own."""

    def __init__(self) -> None:
        self.by_name: dict[str, Stem] = {}


_own = _ThreadStemmers()


def _stemmer(name: str) -> Stem:
    found = _own.by_name.get(name)
    if found is None:
        from Stemmer import Stemmer

        found = _own.by_name[name] = Stemmer(name, 0).stemWord  # 0: the words cut are the cache
    return found
