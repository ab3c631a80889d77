"""Telling whether a text repeats one that is already shown of another memory."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from vault_memory.model.near import near_duplicates
from vault_memory.model.textkey import text_key

SHORT = 40
"""Words: a text of no more is looked up as a whole first, whatever its case, spacing and final stop."""
_LONG = 20_000
"""Characters: of longer texts nothing is kept for the next time."""
_MOST_KNOWN = 4_096
_BITS = 1_024
_COMMON = 0.6
"""Texts that have no larger share of their words, as written but for case, in common are two."""


class _Words:
    """The words of a text. Of one that is met again, what tells at once that two texts share few of them."""

    __slots__ = ("alike", "bits", "key", "words")

    def __init__(self, text: str) -> None:
        folded = text.casefold()
        words = folded.split()
        self.key = text_key(text) if 0 < len(words) <= SHORT else ""
        """Of a short text, else empty."""
        # Not every script has words parted by blanks.
        self.words = frozenset(words if not words or text.isascii() else map("".join, pairwise(folded)))
        self.bits = 0
        """A bit for each word, by its hash; several words may have the same one."""
        self.alike = 0
        """So many words have the bit of another."""

    def mark(self) -> None:
        """Set the bits."""
        places = set(map((_BITS - 1).__and__, map(hash, self.words)))
        self.alike = len(self.words) - len(places)
        self.bits = sum(map((1).__lshift__, places))


class _Shown(NamedTuple):
    owner: int
    text: str
    of: _Words

    def repeats(self, old: _Shown) -> bool:
        """Whether it says nearly the same; first what tells most texts apart at once."""
        new, known = self.of, old.of
        size, other = len(new.words), len(known.words)
        least = _COMMON * max(size, other)
        if self.owner == old.owner or size <= least or other <= least:
            return False
        # Words that both have share their bits; so they are no more than the bits in common and those
        # words whose bit another one has.
        in_common = (new.bits & known.bits).bit_count() + min(new.alike, known.alike)
        if new.bits and known.bits and in_common <= least:
            return False
        return len(new.words & known.words) > least and bool(near_duplicates([old.text, self.text]))


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
        of = _words_of(text)
        if not of.words and not of.key:
            return None
        first = self._by_key.get(of.key, owner)
        if first == owner:
            new = _Shown(owner, text, of)
            first = next((old.owner for old in self._shown if new.repeats(old)), owner)
            if first == owner:
                self._shown.append(new)
        if of.key:
            self._by_key[of.key] = first
        return None if first == owner else first


def _words_of(text: str) -> _Words:
    found = _known.get(text)
    if found is None:
        found = _Words(text)
        if len(text) <= _LONG:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[text] = found
    elif not found.bits:
        found.mark()
    return found


_known: dict[str, _Words] = {}
