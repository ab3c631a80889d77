"""Telling that a text gives a fact of a known one another value, and whether it is that fact alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vault_memory.model.again import words_said
from vault_memory.model.flags.statements import (
    Statement,
    agree_in_title,
    disagree,
    of_one_series,
    statements,
)
from vault_memory.model.memory import Memory
from vault_memory.model.naming import title_of

FEWEST = 3
"""Words of a sentence that states something: `Uses port 8080`."""
MOST = 8
"""So many statements of a text are looked up."""
OF_THEIR_TIME = frozenset(("episodic", "evidence"))
"""Kinds of memories that tell what was, so that another value is no contradiction."""

_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？；])|\n")
_PAST = frozenset(
    "was were had did took ran went got made saw met said told gave came bought sold spent found left kept"
    " built wrote read sent paid won lost began fell rose grew fixed shipped yesterday today tomorrow ago"
    " war waren hatte gestern heute".split()
)
_IN_THE_PAST = re.compile(r"[a-z]{3,}ed")
_NO_VERBS = frozenset("speed seed feed need embed shed indeed exceed proceed succeed".split())
_BE = frozenset("is are be been being ist sind".split())
_BEFORE_A_VALUE = _BE | frozenset(
    "= : to of at than under over above below within after every until max maximum min minimum least most"
    " about for by from with through in on uses use takes take has have needs need allows allow costs cost"
    " requires require contains contain holds hold lasts last keeps keep serves serve returns return waits"
    " wait expects expect up down only exactly around limit limited set port version timeout"
    " retries size count threshold budget price width height depth rate interval delay workers replicas"
    " shards age ttl weight temperature capacity balance score total".split()
)
"""Behind one of these a number is a value; behind another word it may be a part of a name."""
_DIGIT = re.compile(r"\d")
_DAYS = frozenset(
    word + end
    for word in "monday tuesday wednesday thursday friday saturday sunday".split()
    for end in ("", "s")
) | frozenset(
    "mon tue wed thu fri january february march april june july august september october november december"
    " jan feb mar apr jun jul aug sep oct nov dec".split()
)
_BEHIND_A_VALUE = frozenset("for per and with from as because".split())


@dataclass(frozen=True, slots=True)
class Told:
    """A text with what is to be known of it to hold it against another one."""

    text: str
    title: str | None = None
    kind: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def own_title(self) -> str | None:
        """A title that was given, and not made of the text."""
        title = (self.title or "").strip()
        return title if title and title != title_of(self.text) else None

    def stated(self) -> tuple[Statement, ...]:
        """What it states that could be otherwise, in order."""
        return () if self.kind in OF_THEIR_TIME else _stated_in(self.text)


@lru_cache(16)  # a text is held against one after the other
def _stated_in(text: str) -> tuple[Statement, ...]:
    return tuple(statements(text, 1, fewest=FEWEST))


def own_title(memory: Memory) -> str | None:
    """The title that a memory's front matter gives it, where that is not made of its text."""
    title = memory.front.get("title")
    return Told(memory.body, title).own_title if isinstance(title, str) else None


def told_by(memory: Memory) -> Told:
    """What a memory tells, as it can be held against another text."""
    return Told(memory.body, own_title(memory), memory.kind, (*memory.tags, *memory.inline_tags))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One of them says `mine`, the other one `theirs`; `replaced` is whether all that the other one says is
    said anew, so that the one can stand in its place."""

    mine: Statement
    theirs: Statement
    replaced: bool


def disagreement(one: Told, other: Told) -> Disagreement | None:
    """The first fact that both state with different values, `None` where there is none."""
    if not _of_one_thing(one, other):
        return None
    mine, theirs = one.stated(), other.stated()
    alike = _same_title(one, other)
    pairs = [
        (new, old)
        for new in mine
        for old in theirs
        if (alike or not new.needs_title) and _contradicts(new, old, mine, theirs)
    ]
    if not pairs:
        return None
    return Disagreement(*pairs[0], replaced=_replaces(one, other, pairs))


def _contradicts(
    new: Statement, old: Statement, mine: Iterable[Statement], theirs: Iterable[Statement]
) -> bool:
    if not disagree(new, old):
        return False
    if new.about[0] != "=" and not all(
        _is_no_name(*pair, new.text, old.text) for pair in _differing(new, old)
    ):
        return False
    # Where one of them gives both values, neither is wrong.
    return all(each.value != new.value for each in theirs if each.about == old.about) and all(
        each.value != old.value for each in mine if each.about == new.about
    )


def _of_one_thing(one: Told, other: Told) -> bool:
    """Whether their titles let them be about the same, as far as they have any of their own."""
    if other.kind in OF_THEIR_TIME:
        return False
    mine, theirs = one.own_title, other.own_title
    if mine is None and theirs is None:
        return True
    if mine is not None and theirs is not None:
        return mine.casefold() == theirs.casefold() or (
            agree_in_title(mine, theirs) and not of_one_series(mine, theirs)
        )
    return agree_in_title(one.title or title_of(one.text), other.title or title_of(other.text))


def _same_title(one: Told, other: Told) -> bool:
    mine, theirs = one.own_title, other.own_title
    return words_said(mine or "") == words_said(theirs or "")


def _replaces(one: Told, other: Told, pairs: Sequence[tuple[Statement, Statement]]) -> bool:
    """Whether every sentence of the other is in the one, but for those that have another value now."""
    if not _same_title(one, other):
        return False
    if one.tags and other.tags and not set(map(str.casefold, one.tags)) & set(map(str.casefold, other.tags)):
        return False
    changed = [(new, old) for new, old in pairs if _changes_one_value(new, old)]
    said = set(_pieces(one.text))
    replaced = {words_said(old.text) for _, old in changed}
    left = [piece for piece in _pieces(other.text) if piece not in said]
    return bool(left) and all(piece in replaced for piece in left)


def _changes_one_value(new: Statement, old: Statement) -> bool:
    """Whether it is one value of a standing fact that changed; words that follow `is` may both be true, and
    what happened may have happened twice."""
    if new.about[0] == "=" or len(new.value) != len(old.value):
        return False
    differing = _differing(new, old)
    if len(differing) != 1 or _tells_what_was(new.text) or _tells_what_was(old.text):
        return False
    return _DAYS.isdisjoint(differing[0])  # what happens on one day may happen on another, too


def _differing(new: Statement, old: Statement) -> list[tuple[str, str]]:
    return [pair for pair in zip(new.value, old.value, strict=True) if pair[0] != pair[1]]


def _is_no_name(mine: str, theirs: str, text: str, other: str) -> bool:
    """Whether a number of which the other sentence has another one is a value there, as in `uses port 80`,
    and no part of a name, as in `server 1 runs nginx`."""
    numbers = ((mine, text), (theirs, other))
    return all(_is_value(value, words_said(where)) for value, where in numbers if _DIGIT.search(value))


def _is_value(value: str, words: Sequence[str]) -> bool:
    if words.count(value) != 1:
        return False
    at = words.index(value)
    before, behind = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    return before in _BEFORE_A_VALUE or (at > 0 and behind in _BEHIND_A_VALUE)


def _tells_what_was(sentence: str) -> bool:
    words = words_said(sentence)
    before = ""
    for word in words:
        if word in _PAST:
            return True
        if _IN_THE_PAST.fullmatch(word) and before not in _BE and word not in _NO_VERBS:
            return True
        before = word
    return False


def _pieces(text: str) -> list[tuple[str, ...]]:
    return [words for piece in _END.split(text) if (words := words_said(piece))]
