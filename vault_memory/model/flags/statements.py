"""What a text states: sentences cut into what they are about and the values that they give it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from vault_memory.model.fold import fold
from vault_memory.model.markdown import fenced_spans, without_code
from vault_memory.model.normalform import normalized
from vault_memory.model.stems import stem
from vault_memory.model.stopwords import STOP_WORDS

MOST = 200
"""So many statements of one text are looked at."""
LONGEST = 40
"""Words of a sentence: longer ones repeat no other by chance, nor with another value."""
FEWEST = 4
CONTENT = 3
"""So many words beside values, little words and names of columns make a sentence about something."""
SHORT_VALUE = 4
_SKIPPED = re.compile(r"\s*(?:#{1,6}\s|\||<|!\[|-{3,}|={3,}|\*{3,}|\[\^|\[[^\]]+\]:)")
_ITEM = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?")
_MARKUP = re.compile(r"\*\*|__|`|~~|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|!?\[\[|\]\]")
_LINKED = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_ODD = re.compile(r"://|->|=>|\{\{|\w\(\w*\):")
"""What no sentence about the world has: addresses, arrows, holes of templates, marks of commits."""
_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；])")
_WORD = re.compile(
    r"[-+−]?[$€£¥]?\d(?:[\d.,:/%-]*[\d%])?(?![^\W\d_])|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’.-][^\W_]+)*|[<>=≤≥≠]+"
    r"|[\u3040-\u30ff\u3400-\u9fff]|[:：%]"
)
_NUMBER = re.compile(r"[-+−]?[$€£¥]?\d(?:[\d.,:/%-]*[\d%])?")
_DATE = re.compile(r"(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")

_DIGITS = re.compile(r"\d+(?:[-_.]\d+)*")

_NAMED = frozenset(
    "issue pr step phase part chapter version day week page section figure level sprint ticket task item"
    " milestone round stage option case note line appendix lesson season episode volume q h".split()
)
"""Nouns whose number is a name: issue 12 and issue 13 are two things."""
_SLOTS = {
    word: f"<{kind}>"
    for kind, words in {
        "number": "zero one two three four five six seven eight nine ten eleven twelve",
        "day": "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri"
        " mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        "month": "january february march april june july august september october november december"
        " jan feb mar apr jun jul aug sep oct nov dec",
        "switch": "true false on off enabled disabled enable disable enables disables",
        "order": "above below over under more less before after higher lower min max minimum maximum",
        "ever": "always never",
        "leave": "allowed forbidden allow forbid required optional",
    }.items()
    for word in words.split()
}
_NEGATIONS = frozenset(
    "no not never none nothing without cannot cant can't don't doesn't didn't isn't aren't wasn't weren't"
    " won't shouldn't mustn't nicht kein keine nie".split()
)
_EMPTY = frozenset("do does did a an the dont doesnt didnt".split())
_COPULAS = frozenset("is are was were : ： = ist sind war".split())
"""What parts a subject from its value."""
_PARTED = frozenset("is are was were ist sind war".split())
"""The same, but for signs: what stands before one of these is the sentence's subject, if it has two words."""
_IDENTITY = frozenset(("is", "ist"))
_SIGNS = frozenset(":：=")
LONGEST_NAME = 5
"""Words before a sign that may name what the value behind it is of."""
_ORDERS = frozenset("run use open see call select click choose press type enter try set go read".split())
"""Where a sentence begins so, a sign in it parts no subject from its value."""
_HELPERS = frozenset("must should shall currently now also still we our my i you your always".split())


_NOT, _VALUE, _NOTHING, _LITTLE, _CONTENT = "not", "value", "nothing", "little", "content"
"""What a word can do in a sentence."""


class Statement(NamedTuple):
    """A sentence. Two with the same `about` and different `value` can't both hold."""

    about: tuple[str, ...]
    value: tuple[str, ...]
    words: tuple[str, ...]
    """What it can be found by: the words of its subject, as written but for case."""
    line: int
    text: str
    needs_title: bool
    """Whether the memories' titles must agree too, since the words alone say little."""

    @property
    def tells_alone(self) -> bool:
        """Whether it is known by its words what it is about, whatever memory it stands in."""
        return self.about[0] == "~" and not self.needs_title


def statements(body: str, first_line: int, *, fewest: int = FEWEST) -> Iterator[Statement]:
    """Those of the prose of a body whose first line is line `first_line` of its file, of sentences that
    have `fewest` words."""
    prose = without_code(body, fenced_spans(body)) if "`" in body or "~~~" in body else body
    count = 0
    for line, sentence in _sentences(prose, body):
        for found in _of_sentence(sentence, line + first_line, fewest):
            yield found
            count += 1
        if count >= MOST:
            return


def disagree(one: Statement, other: Statement) -> bool:
    """Whether they give what they are both about different values."""
    if one.about != other.about or one.value == other.value:
        return False
    if one.about[0] == "=":  # free values: the one may only say it more exactly
        mine, theirs = set(one.value), set(other.value)
        return not (mine <= theirs or theirs <= mine)
    differing = sum(mine != theirs for mine, theirs in zip(one.value, other.value, strict=True))
    dated = any(map(_is_day, (*one.value, *other.value)))
    # What was true on another day is no contradiction, but where the day is all that is told.
    return not dated or (differing == 1 and sum(map(_is_number, one.value)) <= 1)


def agree_in_title(one: str, other: str) -> bool:
    """Whether two titles share half of the words of the longer one at least."""
    mine, theirs = _title_words(one), _title_words(other)
    return 2 * len(mine & theirs) >= max(len(mine), len(theirs), 1)


def of_one_series(one: str, other: str) -> bool:
    """Whether two paths are those of dated or numbered notes of one kind: each is of its own time."""
    mine, theirs = (_DIGITS.sub("#", path.rpartition("/")[2]) for path in (one, other))
    return mine == theirs and "#" in mine


def _title_words(title: str) -> frozenset[str]:
    words = _WORD.findall(normalized("NFKC", title).casefold())
    return frozenset(_stem(word) for word in words if word not in STOP_WORDS and word not in ":：")


def _is_day(value: str) -> bool:
    return _DATE.fullmatch(value) is not None or _SLOTS.get(value) in ("<day>", "<month>")


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None


def _sentences(prose: str, body: str) -> Iterator[tuple[int, str]]:
    """(line from 0, sentence); code counts as blank where it is a block, and as its words within a line."""
    for number, (bare, whole) in enumerate(zip(prose.split("\n"), body.split("\n"), strict=True)):
        if not bare.strip() or _SKIPPED.match(bare):
            continue
        text = _LINKED.sub(r"\1", whole[_ITEM.match(whole).end() :])  # type: ignore[union-attr]  # matches empty
        text = _MARKUP.sub("", text)
        if _ODD.search(text):
            continue
        for sentence in _END.split(text):
            if len(sentence) > 8:
                yield number, sentence.strip()


def _of_sentence(sentence: str, line: int, fewest: int) -> Iterator[Statement]:
    words = _WORD.findall(normalized("NFKC", sentence).casefold())
    if not fewest <= len(words) <= LONGEST * 2:
        return
    frame, value, content = _framed(words)
    about = set(content)
    if len(about) >= 2 and (len(words) <= LONGEST or not sentence.isascii()):
        thin = len(about) < CONTENT and _PARTED.isdisjoint(words)
        yield Statement(("~", *frame), value, tuple(content), line, sentence, thin)
    given = _given(words)
    if given is not None:
        subject, value, by_sign = given
        thin = by_sign or (len(subject) < CONTENT and _IDENTITY.isdisjoint(words))
        yield Statement(
            ("=", *sorted({_stem(word) for word in subject})), value, subject, line, sentence, thin
        )


def _framed(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """(the sentence with its values taken out, the values, the words that tell what it is about)."""
    frame: list[str] = []
    values: list[str] = []
    content: list[str] = []
    negated = False
    before = ""
    for word in words:
        kind, framed = _kind(word)
        if kind == _NOT:
            negated = not negated
        elif kind == _VALUE and not (framed == "<number>" and before in _NAMED):
            frame.append(framed)
            values.append(word)
        elif kind != _NOTHING:
            frame.append(framed if kind != _VALUE else word)
            if kind == _CONTENT:
                content.append(word)
        before = word
    return tuple(frame), ("not" if negated else "", *values), content


def _given(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...], bool] | None:
    """(subject, value, whether a sign parts them) of `subject is value`; `None` where it is no such
    sentence, or the value is long or has a slot of its own, so that the frame tells of it."""
    at = next((at for at, word in enumerate(words) if word in _COPULAS), None)
    if at is None or at == 0 or at + 1 >= len(words):
        return None
    value = tuple(word for word in words[at + 1 :] if word not in _EMPTY)
    subject = tuple(
        dict.fromkeys(word for word in words[:at] if word not in STOP_WORDS and word not in _HELPERS | _EMPTY)
    )
    if not 0 < len(value) <= SHORT_VALUE or len(subject) < 2 or not _COPULAS.isdisjoint(value):
        return None
    if any(_kind(word)[0] in (_NOT, _VALUE) for word in (*subject, *value)):
        return None
    by_sign = words[at] in _SIGNS
    if by_sign and (at > LONGEST_NAME or words[0] in _ORDERS):
        return None
    return subject, value, by_sign


@lru_cache(maxsize=50_000)
def _kind(word: str) -> tuple[str, str]:
    """What a word does in a sentence, and how it stands in the frame."""
    if word in _NEGATIONS and word != "never":
        return _NOT, ""
    if word in _SLOTS:
        return _VALUE, _SLOTS[word]
    if _is_number(word):
        return _VALUE, "<number>"
    if word in _EMPTY or word in _SIGNS - {"="}:
        return _NOTHING, ""
    little = word in STOP_WORDS or word in _HELPERS
    return _LITTLE if little else _CONTENT, _stem(word)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return stem(fold(word))
