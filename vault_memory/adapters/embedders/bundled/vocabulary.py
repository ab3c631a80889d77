"""Texts to rows of the table: words cut into the longest pieces that the vocabulary holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain

from vault_memory.model.fold import fold
from vault_memory.model.scripts import HAN, KANA, SIGNS, SOUTH_EAST, SOUTH_EAST_SIGNS

_KNOWN_WORDS = 50_000
"""How many words the cache holds before it begins anew."""
_LONGEST_WORD = 64
"""A longer one is cut anew each time: it is no word, and the cache stays small."""

Rows = tuple[int, ...]


class Vocabulary:
    """Pieces that begin a word, that go on with one, and those of scripts without spaces.

    Pieces are folded as `model.fold` folds texts. Any number of threads may ask at once.
    """

    def __init__(self, starts: dict[str, int], inner: dict[str, int], runs: dict[str, int]) -> None:
        self._starts = starts
        self._inner = inner
        self._runs = runs
        self._longest = max(map(len, chain(starts, inner)), default=0)
        self._longest_run = max(map(len, runs), default=0)
        self._known = _Known(self._cut)

    def rows(self, text: str) -> list[int]:
        """The rows of the text's pieces, in order; what no piece holds is left out."""
        # Each word of each memory goes this way, so no step of it is in Python but for a new word.
        return list(chain.from_iterable(map(self._known.__getitem__, _words(text))))

    def _cut(self, word: str) -> Rows:
        if not word.isascii() and _scripts().run.match(word):
            return tuple(row for _, row in self._pieces_of_run(word))
        return tuple(self._pieces_of_word(word))

    def _pieces_of_word(self, word: str) -> Iterator[int]:
        at = 0
        while at < len(word):
            for end in range(min(len(word), at + self._longest), at, -1):
                row = (self._inner if at else self._starts).get(word[at:end])
                if row is not None:
                    yield row
                    at = end
                    break
            else:
                at += 1

    def _pieces_of_run(self, run: str) -> Iterator[tuple[str, int]]:
        at = 0
        while at < len(run):
            for end in range(min(len(run), at + self._longest_run), at, -1):
                row = self._runs.get(run[at:end])
                if row is not None:
                    yield run[at:end], row
                    at = end
                    break
            else:
                at += 1


class _Known(dict[str, Rows]):
    """Words cut before: they come again and again."""

    def __init__(self, cut: Callable[[str], Rows]) -> None:
        super().__init__()
        self._cut = cut

    def __missing__(self, word: str) -> Rows:
        rows = self._cut(word)
        if len(word) <= _LONGEST_WORD:
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[word] = rows
        return rows


class _Scripts:
    """Patterns of texts that are not of ASCII alone."""

    def __init__(self) -> None:
        unspaced = f"{HAN}{KANA}"
        south_east = f"{SOUTH_EAST}{SOUTH_EAST_SIGNS}"
        self.run = re.compile(f"[{unspaced}{south_east}]")
        self.word = re.compile(
            f"[{unspaced}]+|[{south_east}]+|(?:[^\\W_{unspaced}{south_east}]|[{SIGNS}\u0308\u030a])+"
        )


_scripts = cache(_Scripts)
_ASCII_WORD = re.compile("[a-z0-9]+")


def _words(text: str) -> Iterable[str]:
    folded = fold(text)
    return (_ASCII_WORD if folded.isascii() else _scripts().word).findall(folded)
