"""Which pieces the table holds: English WordPieces, and the most probable pieces of other scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from tools.static_table.unigram import MARK, Segmenter
from tools.static_table.weights import Unigrams
from vault_memory.model.fold import fold
from vault_memory.model.scripts import HAN, KANA, SIGNS, SOUTH_EAST, SOUTH_EAST_SIGNS

WORD_PIECES = 20_000
"""So many of the most frequent ones, and every single letter and digit."""

QUOTAS = {
    "han": 11_000,
    "kana": 2_800,
    "hangul": 5_400,
    "thai": 1_500,
    "latin": 3_500,
    "ascii": 4_000,
    "cyrillic": 3_000,
    "arabic": 1_200,
}
"""Script → how many of its most probable pieces are taken. `latin`: with accents, `ascii`: those that
are no WordPiece, most of them of other languages than English."""

_SCRIPTS = (
    ("kana", re.compile(f"[{KANA}]")),
    ("han", re.compile(f"[{HAN}]")),
)
"""(script, what a piece of it holds), the first that fits; others by the names of their letters."""

_RUN = re.compile(f"[{HAN}{KANA}]+|[{SOUTH_EAST}{SOUTH_EAST_SIGNS}]+")
_WORD = re.compile(f"(?:[^\\W_]|[{SIGNS}\u0308\u030a])+")
_CONTINUES = "##"
_WORD_PIECE = re.compile(f"(?:{_CONTINUES})?[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """One row of the table."""

    text: str
    """Folded, as texts are before they are looked up."""
    section: str
    """One of `vault_memory…bundled.table.SECTIONS`."""
    script: str
    probability: float
    tokens: tuple[int, ...]
    """What e5 reads to make the row."""
    word_piece: tuple[int, ...] = ()
    """What MiniLM reads; nothing for pieces with one half only."""


def choose(words: list[str], unigrams: Unigrams, quotas: Mapping[str, int] = QUOTAS) -> list[Piece]:
    """All rows, by section; WordPieces come first."""
    english = list(_english(words, Segmenter(unigrams)))
    taken = {(piece.section, piece.text) for piece in english}
    return english + list(_others(unigrams, quotas, taken))


def _english(words: list[str], segmenter: Segmenter) -> Iterable[Piece]:
    usable = [word for word in words if _WORD_PIECE.fullmatch(word)]
    kept = set(usable[:WORD_PIECES]) | {word for word in usable if len(word.removeprefix(_CONTINUES)) == 1}
    numbers = {word: number for number, word in enumerate(words)}
    for section in ("starts", "inner"):
        for word in usable:
            if word in kept and word.startswith(_CONTINUES) == (section == "inner"):
                text = word.removeprefix(_CONTINUES)
                tokens, score = segmenter.cut(text if section == "inner" else MARK + text)
                yield Piece(text, section, "english", float(np.exp(score)), tuple(tokens), (numbers[word],))


def _others(unigrams: Unigrams, quotas: Mapping[str, int], taken: set[tuple[str, str]]) -> Iterable[Piece]:
    """Of spellings that fold to one text, the most probable gives the row and all give their share."""
    found: dict[tuple[str, str], list[int]] = {}
    order = np.argsort(-unigrams.scores[unigrams.specials :], kind="stable") + unigrams.specials
    for number in map(int, order):
        piece = unigrams.pieces[number]
        text = fold(piece.removeprefix(MARK))
        if _RUN.fullmatch(text):
            found.setdefault(("runs", text), []).append(number)
        elif _WORD.fullmatch(text) and not _RUN.search(text):
            section = "more_starts" if piece.startswith(MARK) else "more_inner"
            found.setdefault((section, text), []).append(number)
    left = dict(quotas)
    kept: dict[str, list[Piece]] = {"more_starts": [], "more_inner": [], "runs": []}
    for (section, text), numbers in found.items():
        script = script_of(unigrams.pieces[numbers[0]])
        if left.get(script, 0) and (section.removeprefix("more_"), text) not in taken:
            left[script] -= 1
            probability = float(np.exp(unigrams.scores[numbers].astype(np.float64)).sum())
            kept[section].append(Piece(text, section, script, probability, (numbers[0],)))
    return [piece for pieces in kept.values() for piece in pieces]


def script_of(piece: str) -> str:
    """`kana` where any is in it, `han`, `ascii`, or the first word of its letters' names in lower case."""
    text = piece.removeprefix(MARK)
    if text.isascii():
        return "ascii"
    for script, pattern in _SCRIPTS:
        if pattern.search(text):
            return script
    names = {_first_name(letter) for letter in text if letter.isalpha()}
    return names.pop() if len(names) == 1 else "mixed"


@cache
def _first_name(letter: str) -> str:
    return unicodedata.name(letter, "nameless").split()[0].lower()
