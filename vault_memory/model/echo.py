"""Telling whether a text repeats one that is already shown of another memory."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from vault_memory.model.near import near_duplicates
from vault_memory.model.textkey import text_key

SHORT = 40
"""Words: a text of no more is looked up as a whole first, whatever its case, spacing and final stop."""
_COMMON = 0.6
"""Texts that have no larger share of their words, as written but for case, in common are two."""


class _Shown(NamedTuple):
    owner: int
    text: str
    words: frozenset[str]

    def repeats(self, old: _Shown) -> bool:
        """Whether it says nearly the same; first what tells most texts apart at once."""
        least = _COMMON * max(len(self.words), len(old.words))
        if self.owner == old.owner or len(self.words) <= least or len(old.words) <= least:
            return False
        return len(self.words & old.words) > least and bool(near_duplicates([old.text, self.text]))


class Echoes:
    """The texts shown so far, each with the memory (by number) that it is of.

    As `near.Known`, for a few dozen texts of which hardly any are alike. A memory never repeats
    itself, and empty texts repeat nothing.
    """

    def __init__(self) -> None:
        self._by_key: dict[str, int] = {}
        self._shown: list[_Shown] = []

    def of(self, text: str, owner: int) -> int | None:
        """The other memory whose shown text this one repeats; where there is none, remember it."""
        folded = text.casefold()
        words = folded.split()
        if not words:
            return None
        key = text_key(text) if len(words) <= SHORT else ""
        first = self._by_key.get(key, owner)
        if first == owner:
            # Not every script has words parted by blanks.
            parts = frozenset(words if text.isascii() else map("".join, pairwise(folded)))
            new = _Shown(owner, text, parts)
            first = next((old.owner for old in self._shown if new.repeats(old)), owner)
            if first == owner:
                self._shown.append(new)
        if key:
            self._by_key[key] = first
        return None if first == owner else first
