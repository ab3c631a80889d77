"""Telling the language of a text by its function words and letters, where it is not English."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from vault_memory.model.fold import fold
from vault_memory.model.normalform import normalized
from vault_memory.model.stopwords import (
    STOP_WORDS,
    function_words,
    languages_of,
    telling_words,
)

_WORD = re.compile(r"[^\W_]+")
_SIGNS_AS_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}
"""Of ASCII, all that is in no word."""
_FOREIGN = re.compile(r"[¿¡À-ÖØ-öø-\u024f\u0300-\u036f\u0400-\u06ff\u1e00-\u1eff]")
"""What English texts hold little of: Latin letters with accents, Cyrillic, Arabic."""

_LETTERS = {
    "german": "äöüß",
    "french": "àâçéèêëîïôùûœ",
    "spanish": "áéíñóú¿¡",
    "portuguese": "ãõáâçéêíóôú",
    "italian": "àèéìòù",
    "dutch": "ëï",
    "swedish": "åäö",
    "danish": "åæø",
    "vietnamese": "ăâđêôơưạảấầẩậắằặẹẻếềểễệịỉọỏốồổộớờợụủứừựỳỵỷỹ",
    "polish": "ąćęłńóśźż",
    "turkish": "çğıöşü",
}
"""Letters and signs that a text of the language holds: each of them tells as much as a function word."""
_SIGNS = {"german": "äöüß", "spanish": "ñ¿¡", "portuguese": "ãõ", "polish": "ąęłńśźż"}
"""Of those the ones that alone are worth a guess."""

_SAMPLE = 800
"""Characters of a text that are enough to tell its language."""
_LEAST = 2
"""So many function words tell a language, if an English text would not hold all of them."""
_MANY = 3
"""So many do where one might."""
_ENOUGH = {"russian": 1, "arabic": 1}
"""So many do where the script tells nearly all."""
_SHARE = 8
"""At least one word in so many of a text is a function word of its language."""


class _Votes(NamedTuple):
    """How many function words of each language a text holds, how many of English, how many words at all."""

    best: str | None
    held: int
    english: int
    words: int
    tied: bool


_NONE = _Votes(None, 0, 0, 0, tied=False)


def of_query(text: str) -> str | None:
    """The language whose function words a query holds most, by the name of its stemmer.

    `None` for English and on a tie with it. Where there are too few to tell, a letter may: a wrong guess
    costs a question little, since words are looked for as they stand too.
    """
    text = text[:_SAMPLE]
    votes = _vote(text)
    if votes.best is None and not text.isascii():
        letters = frozenset(normalized("NFC", text).lower())
        return next((name for name, signs in _SIGNS.items() if letters.intersection(signs)), None)
    return votes.best if votes.held > votes.english else None


def of_text(text: str) -> str | None:
    """The language that a text begins in, `None` where it is English or not sure."""
    votes = _vote(text[:_SAMPLE])
    sure = votes.held > 2 * votes.english and votes.held * _SHARE >= votes.words and not votes.tied
    return votes.best if sure else None


def _words_in(folded: str) -> list[str]:
    if folded.isascii():  # the same in a sixth of the time
        return folded.translate(_SIGNS_AS_BLANKS).split()
    return _WORD.findall(folded)


def _vote(text: str) -> _Votes:
    foreign = not text.isascii() and _FOREIGN.search(text) is not None
    if not foreign:  # most are English: this is seen at a tenth of the cost of the rest
        unique = set(text.lower().split())
        if telling_words().isdisjoint(unique) and not STOP_WORDS.isdisjoint(unique):
            return _NONE
    words = _words_in(fold(text))
    unique = set(words)
    known, sure_words = languages_of(), telling_words()
    held = unique & known.keys()
    if not held:
        return _NONE
    counts = Counter(words)
    votes: dict[str, int] = {}
    telling: dict[str, int] = {}
    for word in held:
        count, sure_word = counts[word], word in sure_words
        for name in known[word]:
            votes[name] = votes.get(name, 0) + count
            telling[name] = telling.get(name, 0) + sure_word
    if foreign:
        letters = frozenset(normalized("NFC", text).lower())
        for name, signs in _LETTERS.items():
            seen = len(letters.intersection(signs))
            votes[name] = votes.get(name, 0) + seen
            telling[name] = telling.get(name, 0) + seen
    sure = {  # in the order of the table, since that of a set is another in each process
        name: votes[name]
        for name in function_words()
        if votes.get(name, 0) >= _ENOUGH.get(name, _LEAST if telling.get(name) else _MANY)
    }
    if not sure:
        return _NONE
    best = max(sure, key=lambda name: (sure[name], telling[name]))
    tied = sum(1 for name in sure if (sure[name], telling[name]) == (sure[best], telling[best])) > 1
    english = sum(counts[word] for word in unique & STOP_WORDS)
    return _Votes(best, sure[best], english, len(words), tied)
