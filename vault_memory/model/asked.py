"""What a question tells besides its words: whom it names, which day it means, and whether it asks when."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from vault_memory.model.corpus import NO_DAY
from vault_memory.model.fold import fold
from vault_memory.model.scripts import HAN, HANGUL, KANA
from vault_memory.model.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from vault_memory.model.corpus import Floats, Numbers

_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
_WHEN = re.compile(
    r"\s*(?:when\b|what (?:date|day|month|year|time)|how long|which (?:year|month|day|date)"
    r"|in (?:what|which) )"
    r"|.*(?:什么时候|什麼時候|何时|何時|哪天|哪年|何年|何月|何日|いつ|언제|며칠)",
    re.DOTALL,
)
_SHORTEST_NAME = 3
"""Letters of a name's beginning that are enough to name it."""

_MONTHS = "january february march april may june july august september october november december".split()
_SHORTENED = frozenset({*(month[:3] for month in _MONTHS), "sept"}) - {"may"}
_MONTH = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?({'|'.join(_MONTHS)}|"
    rf"{'|'.join(month[:3] for month in _MONTHS)}|sept)\b\.?(?: (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:))?"
)
_MAYBE_MAY = re.compile(
    r"\b(?:in|of|during|since|until|last|next|this|\d{1,2}(?:st|nd|rd|th)?) may\b|\bmay,? \d"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBERED = (
    re.compile(r"\b((?:19|20)\d\d)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)"),
    re.compile(r"((?:19|20)\d\d)[年년](?:\s?(\d{1,2})[月월](?:\s?(\d{1,2})[日号號일])?)?"),
    re.compile(r"()(?<!\d)(\d{1,2})[月월](?:\s?(\d{1,2})[日号號일])?"),
)
"""(year, month, day): `2023-05-07`, `2023年5月7日`, `5月7日`."""
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Days of each month."""

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""The days of the years 1 to 9999."""
_SAME_DAY, _WEEK_AFTER, _MONTH_AFTER, _SHORTLY_BEFORE = 1.0, 0.7, 0.4, 0.2
_SAME_MONTH, _MONTH_LATER, _SAME_YEAR, _YEAR_LATER = 1.0, 0.5, 1.0, 0.3


class Day(NamedTuple):
    """A day, month or year as a question names it; what it leaves open is `None`."""

    year: int | None
    month: int | None
    day: int | None


class Asked(NamedTuple):
    """What a question tells besides its words."""

    voice: int | None
    """The number of the one voice that it names."""
    named: frozenset[str]
    """The words of it, folded, that name a voice."""
    when: bool
    day: Day | None


class Voices:
    """Voices (folded) with their numbers, to find those that a question names without trying each."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._unspaced: list[str] = []
        """Names in scripts that put no blanks around them."""
        self._several: dict[str, list[tuple[str, list[str]]]] = {}
        """Names of several words, each with these, by the first of them."""
        self._by_word: dict[str, list[str]] = {}
        """Names of one word, by it."""
        self._begun: list[str] = []
        """All names that their beginning may name, in order."""
        for name in sorted(numbers):
            own = _words(name)
            if len(own) > 1:
                self._several.setdefault(own[0], []).append((name, own))
            elif not name.isascii() and _unspaced().fullmatch(name):
                self._unspaced.append(name)
            else:
                self._begun.append(name)
                for word in own:
                    self._by_word.setdefault(word, []).append(name)

    def named_in(self, folded: str) -> dict[int, frozenset[str]]:
        """The numbers of those that a folded text names, each with the words that do: all of its own, or
        one that it begins with and that is no other's name."""
        words = _words(folded)
        spaced = f" {' '.join(words)} "
        found: dict[str, set[str]] = {}
        for word in dict.fromkeys(words):
            for name, own in self._several.get(word, ()):
                if f" {' '.join(own)} " in spaced:
                    found[name] = set(own)
            for name in (*self._by_word.get(word, ()), *self._beginning(word)):
                found.setdefault(name, set()).add(word)
        for name in self._unspaced if not folded.isascii() else ():
            if name in folded:
                found[name] = {name}
        return {self._numbers[name]: frozenset(by) for name, by in found.items()}

    def _beginning(self, word: str) -> Iterator[str]:
        if len(word) < _SHORTEST_NAME or word in self._numbers or word in STOP_WORDS:
            return
        for at in range(bisect_left(self._begun, word), len(self._begun)):
            if not self._begun[at].startswith(word):
                return
            yield self._begun[at]


@lru_cache(16)  # few change from one generation to the next
def voices_of(numbers: tuple[tuple[str, int], ...]) -> Voices:
    """`Voices` of these names and numbers."""
    return Voices(dict(numbers))


def look_at(question: str, voices: Voices) -> Asked:
    """Read a question asked where these voices are known."""
    folded = fold(question)
    found = voices.named_in(folded)
    by_which = set(found.values())
    named = frozenset().union(*by_which)
    # Who is called Anna Maria is not Anna.
    whole = {by for by in by_which if not any(by < other for other in by_which)}
    meant = [number for number, by in found.items() if by in whole]
    voice = meant[0] if len(meant) == 1 else None
    return Asked(voice, named, _WHEN.match(folded) is not None, day_in(folded))


def _words(folded: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(folded)]


@cache
def _unspaced() -> re.Pattern[str]:
    """Names of two characters or more in scripts that put no blanks around them."""
    return re.compile(f"[{HAN}{KANA}{HANGUL}]{{2,}}")


def day_in(folded: str) -> Day | None:
    """The first day, month or year in a folded text."""
    for pattern in _NUMBERED:
        for parts in pattern.finditer(folded):
            if known := _calendar(parts[1], parts[2], parts[3]):
                return known
    year = found[0] if (found := _YEAR.search(folded)) else None
    for found in _MONTH.finditer(folded):
        name = found[2]
        if name == "may" and not _MAYBE_MAY.search(folded):
            continue
        if name in _SHORTENED and not (found[1] or found[3] or year):
            continue
        number = next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))
        return _calendar(year, str(number), found[1] or found[3])
    return _calendar(year, None, None)


def _calendar(year: str | None, month: str | None, day: str | None) -> Day | None:
    """What of these there is in a calendar: of a 31st of February, February."""
    in_year = int(month) if month and 1 <= int(month) <= len(_LONGEST) else None
    in_month = int(day) if in_year and day and 1 <= int(day) <= _LONGEST[in_year - 1] else None
    return Day(int(year) if year else None, in_year, in_month) if year or in_year else None


def nearness(asked: Day, days: Numbers) -> Floats:
    """How near memories of these days (from 1970) are to the day asked for, 0–1: what is told of a day is
    often written a little later."""
    import numpy as np

    moments = np.clip(days, _FIRST_DAY, _LAST_DAY).astype("datetime64[D]")
    years = moments.astype("datetime64[Y]").astype(np.int64) + 1970
    if asked.year is not None:
        near = _near_in(np.full_like(years, asked.year), asked, moments)
    else:  # around New Year the day meant may be of the year before or after
        near = np.maximum.reduce([_near_in(years + ahead, asked, moments) for ahead in (-1, 0, 1)])
    return np.where(days > NO_DAY, near, 0.0)


def _near_in(year: Numbers, asked: Day, moments: Any) -> Floats:
    """How near these moments are to the day asked for, each in a year of its own."""
    import numpy as np

    months = moments.astype("datetime64[M]").astype(np.int64)
    if asked.month is None:
        years = months // 12 + 1970
        return np.select([years == year, years == year + 1], [_SAME_YEAR, _YEAR_LATER], 0.0)
    month = (year - 1970) * 12 + asked.month - 1
    if asked.day is None:
        return np.select([months == month, months == month + 1], [_SAME_MONTH, _MONTH_LATER], 0.0)
    day = month.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + asked.day - 1
    gap = moments.astype(np.int64) - day
    return np.select(
        [gap == 0, (gap > 0) & (gap <= 7), (gap > 7) & (gap <= 31), (gap < 0) & (gap >= -3)],
        [_SAME_DAY, _WEEK_AFTER, _MONTH_AFTER, _SHORTLY_BEFORE],
        0.0,
    )


def unnamed(question: str, named: frozenset[str]) -> str:
    """The question without the words that name somebody, unless nothing is left: a name stands in every
    line that its owner says, so it tells a sentence model the least."""
    if not named:
        return question
    kept = [word for word in question.split() if named.isdisjoint(_words(fold(word)))]
    return " ".join(kept) or question
