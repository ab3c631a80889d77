"""Cutting text into the terms it is found by: stems, pairs of characters, and compounds whole."""

from __future__ import annotations

import re
import threading
from functools import cache
from itertools import chain, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from vault_memory.model.fold import TWO_SPELLINGS, fold
from vault_memory.model.scripts import (
    EMOJI,
    FLAG,
    HAN,
    HANGUL,
    KANA,
    SIGNS,
    SOUTH_EAST,
    SOUTH_EAST_SIGNS,
    STACKERS,
)
from vault_memory.model.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_WORD = 64
"""Words and compounds are cut to this many characters: nobody types more, and a blob stays small."""
MAX_QUERY_TERMS = 512
"""A pasted log as a query ends quickly: later terms are left out."""

_KNOWN_WORDS = 50_000
"""How many words the cache holds before it begins anew."""

_JOINT = r"(?:[-_.:/@'&+#=~\\]{1,3}|(?<=\d),(?=\d))"
_BEFORE = r"(?:(?<![^\s(\[{'\"`,;=|<>])(?:\.|--?|[@#$]))?"
_AFTER = r"(?:\+\+|[+#])?"
_SECTION = re.compile(r"[/\\:@=]+")
_CONTRACTED = re.compile(r"(?<=\w)'(?:s|t|ll|re|ve|d|m)(?!\w)")
_MARK = re.compile(r"[!-/:-@\[-`{-~]")


class _Patterns(NamedTuple):
    token: re.Pattern[str]
    part: re.Pattern[str]
    """A word, of those that a compound is made of."""


class _Scripts(NamedTuple):
    paired: re.Pattern[str]
    syllabic: re.Pattern[str]
    syllable: re.Pattern[str]
    kana: re.Pattern[str]


class _Cut(NamedTuple):
    """What one token gives. `words` stand in the text one after another; the others help to find it."""

    terms: tuple[str, ...]
    """All that is indexed."""
    words: tuple[str, ...]
    asked: tuple[str, ...]
    """What a query looks for: no stop words."""
    spare: frozenset[str] = frozenset()
    """Those of `asked` whose absence from the whole store says nothing: compounds, other spellings."""
    contraction: bool = False
    """As little worth as a stop word (`it's`, `don't`): asked for only where nothing else is."""


_terms_of = attrgetter("terms")


class Asked(NamedTuple):
    """A query's terms, each once in order, and those of them that need not be known."""

    terms: tuple[str, ...]
    spare: frozenset[str]


def cut(text: str) -> list[str]:
    """The terms to index, in order; a compound follows its parts. No blanks, no `"`, lower case."""
    # Each word of each memory goes this way, so no step of it is in Python but for a new word.
    return list(chain.from_iterable(map(_terms_of, _cut_tokens(text))))


def cut_words(text: str) -> list[str]:
    """The terms that stand in the text one after another, without compounds: what phrases match."""
    words: list[str] = []
    for token in _cut_tokens(text):
        words += token.words
    return words


def ask(text: str) -> Asked:
    """The terms to look for, without stop words, at most `MAX_QUERY_TERMS`; none for stop words only."""
    terms: dict[str, None] = {}
    contractions: dict[str, None] = {}
    spare: set[str] = set()
    for token in _cut_tokens(text):
        if token.contraction:
            contractions.update(dict.fromkeys(token.asked))
            continue
        terms.update(dict.fromkeys(token.asked))
        spare |= token.spare
        if len(terms) >= MAX_QUERY_TERMS:
            break
    if not terms:
        return Asked(tuple(contractions)[:MAX_QUERY_TERMS], frozenset())
    kept = tuple(terms)[:MAX_QUERY_TERMS]
    return Asked(kept, frozenset(spare.intersection(kept)))


def cut_query(text: str) -> list[str]:
    """The terms of `ask` alone."""
    return list(ask(text).terms)


def is_unspaced(term: str) -> bool:
    """Whether it is one character of a script whose words are cut into pairs of characters."""
    return len(term) == 1 and not term.isascii() and _scripts().paired.match(term) is not None


class _Known(dict[str, _Cut]):
    """Words cut before: they come again and again."""

    def __missing__(self, token: str) -> _Cut:
        return _learn(token)


_known = _Known()


def _cut_tokens(text: str) -> Iterable[_Cut]:
    folded = fold(text)
    tokens = (_plain() if folded.isascii() else _worldwide()).token
    return map(_known.__getitem__, tokens.findall(folded))


def _learn(token: str) -> _Cut:
    """Cut a token seen for the first time; words are remembered, runs of characters are not."""
    patterns = _plain() if token.isascii() else _worldwide()
    if not token.isascii():
        if _scripts().paired.match(token):
            return _cut_characters(token)
        if _scripts().syllabic.match(token):
            return _cut_syllables(token)
        if not patterns.part.search(token):
            return _Cut((token,), (token,), (token,))
    found = _cut_word(token, patterns.part)
    if len(token) <= MAX_WORD:
        if len(_known) >= _KNOWN_WORDS:
            _known.clear()
        _known[token] = found
    return found


def _cut_characters(run: str) -> _Cut:
    """Overlapping pairs. A text is also found by one Chinese character or Hangul syllable of it."""
    if len(run) == 1:
        return _Cut((run,), (run,), (run,))
    pairs, kana = _pairs(run), _scripts().kana
    singles = tuple(dict.fromkeys(character for character in run if not kana.match(character)))
    return _Cut(pairs + singles, pairs, pairs)


def _cut_syllables(run: str) -> _Cut:
    """Overlapping pairs of letters with the signs that belong to them."""
    syllables = [syllable[:MAX_WORD] for syllable in _scripts().syllable.findall(run)]
    pairs = _pairs(syllables) if len(syllables) > 1 else tuple(syllables)
    return _Cut(pairs, pairs, pairs)


def _pairs(run: str | list[str]) -> tuple[str, ...]:
    return tuple([first + second for first, second in pairwise(run)])


def _cut_word(token: str, part_pattern: re.Pattern[str]) -> _Cut:
    if token.isascii() and token.isalpha():  # what most are: the same as below, in a fifth of the time
        stem = (_stem(token),)
        return _Cut(stem, stem, () if token in STOP_WORDS else stem)
    parts = part_pattern.findall(_CONTRACTED.sub("", token))
    kept = [part for part in parts if part not in STOP_WORDS]
    if kept:
        token = token.removesuffix("'s")
    words = tuple([_stem(_bare(part)) for part in parts])
    others = tuple(dict.fromkeys(_stem(_spelled(part)) for part in parts if _spelled(part) != _bare(part)))
    extra = others + _compounds(token, parts)
    asked = tuple([_stem(_bare(part)) for part in kept]) + extra
    contraction = len(parts) == 1 and "'" in token and (not kept or token.endswith("n't"))
    return _Cut(words + extra, words, asked, frozenset(extra), contraction)


def _compounds(token: str, parts: list[str]) -> tuple[str, ...]:
    """The whole token, and those of its sections (of a path, an address) that are compounds again."""
    if parts == [token]:
        return ()
    core = token[token.index(parts[0]) :].rstrip("+#")
    found = [token, core, *_SECTION.split(core)]
    alone = set(parts)
    bare = (_bare(one)[:MAX_WORD] for one in found if one not in alone and _MARK.search(one))
    return tuple(dict.fromkeys(bare))


def _stem(word: str) -> str:
    word = word[:MAX_WORD]
    return _stemmer()(word) if len(word) > 2 and word.isascii() and word.isalpha() else word


def _bare(word: str) -> str:
    return _respell(word, 0)


def _spelled(word: str) -> str:
    return _respell(word, 1)


def _respell(word: str, which: int) -> str:
    if word.isascii():
        return word
    return "".join([TWO_SPELLINGS[letter][which] if letter in TWO_SPELLINGS else letter for letter in word])


# Compiling the patterns of all scripts takes 10 ms, which commands that cut no such text need not pay.


@cache
def _plain() -> _Patterns:
    """For folded ASCII."""
    word = "[a-z0-9]++"
    return _Patterns(re.compile(_word_token(word)), re.compile(word))


@cache
def _worldwide() -> _Patterns:
    """For any folded text."""
    word = rf"(?:[^\W_{HAN}{KANA}{HANGUL}{SOUTH_EAST}]++[{SIGNS}]*+)++"
    runs = rf"[{HAN}{KANA}]+|[{HANGUL}]+|[{SOUTH_EAST}]+|[{FLAG}]{{1,2}}|[{EMOJI}]"
    return _Patterns(re.compile(f"{_word_token(word)}|{runs}"), re.compile(word))


def _word_token(word: str) -> str:
    return f"{_BEFORE}{word}(?:{_JOINT}{word})*+{_AFTER}"


@cache
def _scripts() -> _Scripts:
    return _Scripts(
        paired=re.compile(rf"[{HAN}{KANA}{HANGUL}]"),
        syllabic=re.compile(rf"[{SOUTH_EAST}]"),
        syllable=re.compile(rf".(?:[{SOUTH_EAST_SIGNS}]|(?<=[{STACKERS}]).)*+"),
        kana=re.compile(rf"[{KANA}]"),
    )


class _ThreadStemmer(threading.local):
    """A stemmer keeps its working memory in itself, so each thread has its own."""

    stem: Callable[[str], str] | None = None


_own = _ThreadStemmer()


def _stemmer() -> Callable[[str], str]:
    if _own.stem is None:
        from Stemmer import Stemmer

        _own.stem = Stemmer("porter", 0).stemWord  # 0: `_known` is the cache
    return _own.stem
