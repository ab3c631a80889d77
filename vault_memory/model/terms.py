"""Cutting text into the terms it is found by: stems, pairs of characters, and compounds whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from types import MappingProxyType
from typing import NamedTuple

from vault_memory.model import particles
from vault_memory.model.fold import TWO_SPELLINGS, fold
from vault_memory.model.language import of_query
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
from vault_memory.model.stems import stem, stem_in
from vault_memory.model.stopwords import STOP_WORDS, function_words

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
_ENDS = frozenset(".,;:!?")
"""What is no part of the word that it stands behind."""
_MARK = re.compile(r"[!-/:-@\[-`{-~]")


class _Patterns(NamedTuple):
    token: re.Pattern[str]
    part: re.Pattern[str]
    """A word, of those that a compound is made of."""


class _Scripts(NamedTuple):
    unspaced: re.Pattern[str]
    paired: re.Pattern[str]
    hangul: re.Pattern[str]
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
    native: tuple[tuple[str, str], ...] = ()
    """Stems of the text's own language, each with the word's usual term."""


STEMMED = frozenset("german french spanish portuguese italian dutch polish".split())
"""Languages in Latin letters whose own stems are indexed beside the usual ones."""


class Asked(NamedTuple):
    """A query's terms, each once in order; those of them that need not be known; and its language."""

    terms: tuple[str, ...]
    spare: frozenset[str]
    same: Mapping[str, str] = MappingProxyType({})
    """Stems of the query's own language, each with the term that it is another form of: found by
    either, a word counts once."""
    language: str | None = None
    """`None` for English, and where it can't be told."""


def cut(text: str, tongue: str | None = None) -> list[str]:
    """The terms to index, in order; a compound follows its parts. No blanks, no `"`, lower case.

    `tongue` is the text's language (of `language.of_text`) where it is sure and not English: where
    its own stem of a word is another than the usual one, both are terms.
    """
    # Each word of each memory goes this way, so no step of it is in Python but for a new word. No token
    # holds a blank, nor looks past one: to split is ten times as fast as to find the tokens.
    return list(chain.from_iterable(map(_known_between_blanks(tongue).__getitem__, fold(text).split())))


def cut_words(text: str) -> list[str]:
    """The terms that stand in the text one after another, without compounds: what phrases match."""
    words: list[str] = []
    for token in _tokens_of(fold(text)):
        words += _known[token].words
    return words


def ask(text: str) -> Asked:
    """The terms to look for, at most `MAX_QUERY_TERMS`, without the stop words of the query's language.

    None for English stop words only; of other languages rather all of them than none, since a word
    may be a stop word in one language and rare in that of the texts.
    """
    folded = fold(text)
    tokens = _tokens_of(folded)
    tongue = of_query(text)
    known = _known_in(tongue)
    if folded.isascii():
        found = _gather(tokens, known.__getitem__)
    else:
        japanese = _scripts().kana.search(folded) is not None
        found = _gather(tokens, lambda token: _without_particles(token, japanese=japanese) or known[token])
    if not found.terms:
        found = _gather(tokens, _known_in(None).__getitem__)
    return found._replace(language=tongue)


def _gather(tokens: Sequence[str], ask_one: Callable[[str], _Cut]) -> Asked:
    """The terms that the tokens ask for, where `ask_one` cuts one of them."""
    terms: dict[str, None] = {}
    contractions: dict[str, None] = {}
    spare: set[str] = set()
    same: dict[str, str] = {}
    for token in tokens:
        one = ask_one(token)
        if one.contraction:
            contractions.update(dict.fromkeys(one.asked))
            continue
        terms.update(dict.fromkeys(one.asked))
        spare |= one.spare
        same.update(one.native)
        if len(terms) >= MAX_QUERY_TERMS:
            break
    if not terms:
        return Asked(tuple(contractions)[:MAX_QUERY_TERMS], frozenset())
    kept = tuple(terms)[:MAX_QUERY_TERMS]
    known = frozenset(kept)
    forms = {one: other for one, other in same.items() if one in known and other in known}
    return Asked(kept, known & spare, forms)


def cut_query(text: str) -> list[str]:
    """The terms of `ask` alone."""
    return list(ask(text).terms)


def is_unspaced(term: str) -> bool:
    """Whether it is one character of a script whose words are cut into pairs of characters."""
    return len(term) == 1 and not term.isascii() and _scripts().paired.match(term) is not None


class _Known(dict[str, _Cut]):
    """Words of a language cut before: they come again and again."""

    def __init__(self, tongue: str | None) -> None:
        super().__init__()
        self.tongue = tongue

    def __missing__(self, token: str) -> _Cut:
        found = _learn(token, self.tongue)
        if len(token) <= MAX_WORD and (token.isascii() or not _scripts().unspaced.match(token)):
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[token] = found
        return found


_known = _Known(None)


@cache
def _known_words(tongue: str) -> _Known:
    return _Known(tongue)


def _known_in(tongue: str | None) -> _Known:
    return _known if tongue is None else _known_words(tongue)


class _KnownBetweenBlanks(dict[str, tuple[str, ...]]):
    """The terms of what stood between two blanks before: of a word with its full stop, most often."""

    def __init__(self, tongue: str | None) -> None:
        super().__init__()
        self._known = _known_in(tongue)
        self._is_plain = tongue is None

    def __missing__(self, folded: str) -> tuple[str, ...]:
        word = folded[:-1] if folded[-1] in _ENDS else folded
        if self._is_plain and word.isascii() and word.isalpha():
            # What most are: the same as below, in a third of the time.
            found = self.get(word) or (stem(word[:MAX_WORD]),)
        else:
            cuts = [self._known[token] for token in _tokens_of(folded)]
            found = tuple(chain.from_iterable(one.terms for one in cuts))
        if len(folded) <= MAX_WORD and (folded.isascii() or not _scripts().unspaced.search(folded)):
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[folded] = found
        return found


@cache
def _known_between_blanks(tongue: str | None) -> _KnownBetweenBlanks:
    return _KnownBetweenBlanks(tongue)


def _tokens_of(folded: str) -> list[str]:
    return (_plain() if folded.isascii() else _worldwide()).token.findall(folded)


def _learn(token: str, tongue: str | None) -> _Cut:
    """Cut a token seen for the first time."""
    if token.isascii():
        return _cut_word(token, _plain().part, tongue)
    if _scripts().paired.match(token):
        return _cut_characters(token)
    if _scripts().syllabic.match(token):
        return _cut_syllables(token)
    if not _worldwide().part.search(token):
        return _Cut((token,), (token,), (token,))
    return _cut_word(token, _worldwide().part, tongue)


def _without_particles(token: str, *, japanese: bool) -> _Cut | None:
    """What a question asks for with a run of a script without spaces, `None` for any other token."""
    scripts = _scripts()
    if token.isascii() or not scripts.unspaced.match(token):
        return None
    if scripts.hangul.match(token):
        pieces = particles.korean(token)
    elif scripts.syllabic.match(token):
        pieces = particles.thai(token)
        if any(len(scripts.syllable.findall(piece)) < 2 for piece in pieces.kept):
            return None  # pairs are indexed, and of one syllable there is none
    else:
        pieces = particles.japanese(token) if japanese else particles.chinese(token)
    asked = tuple(chain.from_iterable(_learn(piece, None).asked for piece in pieces.kept))
    return _Cut((), (), asked, pieces.spare)


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


def _cut_word(token: str, part_pattern: re.Pattern[str], tongue: str | None) -> _Cut:
    if tongue is None and token.isascii() and token.isalpha():
        # What most are: the same as below, in a fifth of the time.
        only = (stem(token[:MAX_WORD]),)
        return _Cut(only, only, () if token in STOP_WORDS else only)
    stops = STOP_WORDS if tongue is None else function_words()[tongue]
    parts = part_pattern.findall(_CONTRACTED.sub("", token))
    kept = [part for part in parts if part not in stops]
    if kept:
        token = token.removesuffix("'s")
    words = tuple([_stem(_bare(part)) for part in parts])
    others = tuple(dict.fromkeys(_stem(_spelled(part)) for part in parts if _spelled(part) != _bare(part)))
    extra = others + _compounds(token, parts)
    native = _native(tongue, kept) if tongue in STEMMED else ()
    asked = tuple([_stem(_bare(part)) for part in kept]) + tuple(one for one, _ in native)
    if kept or tongue is None:
        asked += extra
    contraction = len(parts) == 1 and "'" in token and (not kept or token.endswith("n't"))
    own = tuple(one for one, _ in native)
    return _Cut(words + extra + own, words, asked, frozenset(extra + own), contraction, native)


def _native(tongue: str, parts: list[str]) -> tuple[tuple[str, str], ...]:
    """The stems that the language itself gives, where they are others, each with the word's usual one."""
    found = []
    for part in filter(str.isalpha, parts):
        usual, own = _stem(_bare(part)), _stem(_bare(stem_in(tongue, part[:MAX_WORD])))
        if own != usual:
            found.append((own, usual))
    return tuple(found)


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
    return stem(word[:MAX_WORD])


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
        unspaced=re.compile(rf"[{HAN}{KANA}{HANGUL}{SOUTH_EAST}]"),
        paired=re.compile(rf"[{HAN}{KANA}{HANGUL}]"),
        hangul=re.compile(rf"[{HANGUL}]"),
        syllabic=re.compile(rf"[{SOUTH_EAST}]"),
        syllable=re.compile(rf".(?:[{SOUTH_EAST_SIGNS}]|(?<=[{STACKERS}]).)*+"),
        kana=re.compile(rf"[{KANA}]"),
    )
