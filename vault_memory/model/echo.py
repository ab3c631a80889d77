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
            first = self._first_like(new)
            if first == owner:
                self._shown.append(new)
        if of.key:
            self._by_key[of.key] = first
        return None if first == owner else first

    def _first_like(self, shown: _Shown) -> int:
        """Whose text says nearly the same, its own owner for nobody's; first what tells most texts apart."""
        owner, text, new = shown
        words, bits = new.words, new.bits
        size = len(words)
        for other, old, known in self._shown:
            least = _COMMON * max(size, len(known.words))
            if other == owner or size <= least or len(known.words) <= least:
                continue
            # Words that both have share their bits; so they are no more than the bits in common and those
            # words whose bit another one has.
            if bits and known.bits:
                in_common = (bits & known.bits).bit_count() + min(new.alike, known.alike)
                if in_common <= least:
                    continue
            if len(words & known.words) > least and near_duplicates([old, text]):
                return other
        return owner


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
