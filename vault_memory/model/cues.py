"""What a passage shows besides its words: whether it asks something or names a time, and whose it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntFlag
from itertools import pairwise

from vault_memory.model.fold import fold


class Cue(IntFlag):
    """What holds of a passage's text."""

    ASKS = 1
    """It is a turn of a dialogue that holds a question mark."""
    TIMED = 2
    """It says when: a day, a month, a year, `yesterday`, `two weeks ago`."""


TIMES = frozenset(
    # Stems, as `terms.cut` gives them. `may`, `march` and `second` are other words more often than not.
    "yesterdai tomorrow tonight todai ago weekend year fortnight"
    " januari februari april june juli august septemb octob novemb decemb"
    " mondai tuesdai wednesdai thursdai fridai saturdai sundai".split()
)
_RELATIVE = frozenset({"last", "next", "thi", "past", "few"})
_SPANS = frozenset(
    {"week", "month", "night", "season", "summer", "winter", "spring", "fall", "dai", "march", "mai"}
)
_DIGIT = re.compile(r"\d")
_ORDINAL = ("st", "nd", "rd", "th")
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_UNSPACED = (
    "昨天",
    "今天",
    "明天",
    "去年",
    "今年",
    "明年",
    "上周",
    "下周",
    "上个月",
    "上週",
    "下週",
    "上個月",
    "昨日",
    "今日",
    "明日",
    "来週",
    "先週",
    "先月",
    "来月",
    "어제",
    "오늘",
    "내일",
    "지난",
)
_UNSPACED_DAY = re.compile(r"\d\s?[年月日년월일]")


def cues_in(text: str, terms: Sequence[str], *, is_turn: bool) -> int:
    """The cues of a text whose terms are those of `terms.cut`; only a turn of a dialogue asks somebody."""
    found = Cue.ASKS if is_turn and any(mark in text for mark in _QUESTION_MARKS) else Cue(0)
    if _is_timed(text, terms):
        found |= Cue.TIMED
    return int(found)


def voice_of(name: str) -> str:
    """A name as voices are compared: folded, one blank between its words."""
    return " ".join(fold(name).split())


def _is_timed(text: str, terms: Sequence[str]) -> bool:
    if not TIMES.isdisjoint(terms):
        return True
    if not text.isascii() and (_UNSPACED_DAY.search(text) or any(word in text for word in _UNSPACED)):
        return True
    held = set(terms)
    may_be_relative = not _RELATIVE.isdisjoint(held) and not _SPANS.isdisjoint(held)
    if may_be_relative and any(one in _RELATIVE and next_ in _SPANS for one, next_ in pairwise(terms)):
        return True
    return _may_hold_digits(text) and any(_is_date(term) for term in held if term[0].isdigit())


def _may_hold_digits(text: str) -> bool:
    if not text.isascii():
        return _DIGIT.search(text) is not None
    return any(map(text.__contains__, "0123456789"))  # a tenth of what the regex takes where there is none


def _is_date(term: str) -> bool:
    """Whether it, which begins with a digit, is a year, or a day as in `12th`."""
    return _is_year(term) or (term.endswith(_ORDINAL) and term[:-2].isdigit())


def _is_year(term: str) -> bool:
    return len(term) == 4 and term.isdigit() and "1900" <= term <= "2100"
