"""What was asked: text that is never syntax, but for words in balanced double quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vault_memory.model.terms import MAX_QUERY_TERMS, ask, cut_words, is_unspaced

MAX_PHRASES = 32
"""More quoted phrases than this in one query are text like any other."""

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "＂": '"'})
_QUOTED = re.compile(r'(?<!\w)"([^"]+)"(?!\w)')
"""A quote behind a character of a word is not one that opens: 5" by 7" are inches."""

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question cut into what can be looked for. `terms` are unique and in order of the text."""

    text: str
    terms: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()
    """Words that must stand together, two or more each, as `terms.cut_words` gives them."""
    spare: frozenset[str] = frozenset()
    """Terms that weigh nothing where no passage has them: compounds, second spellings."""
    same: Mapping[str, str] = field(default_factory=dict)
    """Terms that are other forms of another one: of `terms`, each with the other."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to look for (no text, signs only, or stop words only)."""
        return not self.terms


def parse(text: str) -> Query:
    """Cut a query. Any text will do; stop words count only where a quoted phrase is all there is."""
    terms, spare, same, _ = ask(text)
    phrases = tuple(dict.fromkeys(_phrases(text)))[:MAX_PHRASES]
    if not terms and phrases:
        terms = tuple(dict.fromkeys(word for phrase in phrases for word in phrase))[:MAX_QUERY_TERMS]
    return Query(text, terms, phrases, spare, same)


def _phrases(text: str) -> Iterator[Phrase]:
    for quoted in _QUOTED.finditer(text.translate(_QUOTES)):
        words = tuple(cut_words(quoted[1])[:MAX_QUERY_TERMS])
        if len(words) > 1:
            yield words


def phrase_in(phrase: Phrase, words: Sequence[str]) -> bool:
    """Whether the phrase's words stand one after another among `words` (of `terms.cut_words`).

    A single character of a script without spaces at the phrase's edge may be part of a longer run.
    """
    last = len(words) - len(phrase)
    first, rest = phrase[0], phrase[1:-1]
    first_is_edge, last_is_edge = is_unspaced(first), is_unspaced(phrase[-1])
    for start, word in enumerate(words):
        if start > last:
            return False
        if word != first and not (first_is_edge and word.endswith(first)):
            continue
        end = words[start + len(phrase) - 1]
        ends_well = end == phrase[-1] or (last_is_edge and end.startswith(phrase[-1]))
        if ends_well and tuple(words[start + 1 : start + len(phrase) - 1]) == rest:
            return True
    return False
