"""Comparing what a filter says with what stands in a file: as numbers, as times, else as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo

from vault_memory.model.caseless import caseless
from vault_memory.model.filters.when import Span, read_when
from vault_memory.model.moments import read_moment

Number = int | float

_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][-+]?[0-9]{1,3})?")

TURNS: dict[str, Callable[[int], bool]] = {
    "=": lambda side: side == 0,
    "!=": lambda side: side != 0,
    "<": lambda side: side < 0,
    "<=": lambda side: side <= 0,
    ">": lambda side: side > 0,
    ">=": lambda side: side >= 0,
}
"""Each comparison by the side (-1, 0, 1) of the filter's value on which the file's value lies."""

SHORTEST_DATE = 4
"""Characters of a year."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as a filter says it, and everything that it may mean."""

    text: str
    caseless: str
    number: Number | None
    span: Span | None
    zone: tzinfo

    def side(self, value: str) -> int | None:
        """On which side of this the value of a file lies; `None` where the two can't be compared."""
        number = number_in(value)
        if self.number is not None and number is not None:
            return sign(number, self.number)
        if self.span is not None:
            moment = read_moment(value, self.zone)
            if moment is not None:
                return self.span.side(moment)
        other = caseless(value.strip())
        if other == self.caseless:
            return 0
        if self.number is not None or self.span is not None or number is not None:
            return None
        return 1 if other > self.caseless else -1

    def within(self, value: str) -> bool:
        """Whether the value of a file holds this as a part of its text."""
        return self.caseless in caseless(value)


def literal(text: str, now: datetime, zone: tzinfo) -> Literal:
    """What a text may mean in a filter."""
    cleaned = text.strip()
    number = number_in(cleaned)
    # To find that `20` is no date, every form of dates would be tried.
    span = None if number is not None and len(cleaned) < SHORTEST_DATE else read_when(cleaned, now, zone)
    return Literal(text, caseless(cleaned), number, span, zone)


def number_in(text: str) -> Number | None:
    """The number that a text is, `None` where it is none; whole numbers are exact."""
    cleaned = text.strip()
    if not _NUMBER.fullmatch(cleaned):
        return None
    return int(cleaned) if cleaned.lstrip("+-").isdigit() else float(cleaned)


def sign(value: Number, other: Number) -> int:
    """-1 where the value is smaller, 0 where they are equal, 1 where it is larger."""
    return (value > other) - (value < other)


def fits(comparison: str, side: int | None) -> bool:
    """Whether a comparison holds of that side; only `!=` holds of what can't be compared."""
    return comparison == "!=" if side is None else TURNS[comparison](side)
