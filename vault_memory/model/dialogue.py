"""Recognising the turns of a dialogue: `Name: what they said`, again and again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

FEWEST_TURNS = 3
FEWEST_SPEAKERS = 2
WIDEST_GAP = 12
"""Lines between two turns of one dialogue, at most: a turn may go on for a few lines."""

_NAME_WORD = r"[^\W\d_][\w.'’-]{0,30}"
_TIME = r"[\[(]?\d[\d:./ -]{2,24}(?:[AaPp]\.?[Mm]\.?)?[\])]?(?:[ \t]*[-–,])?[ \t]+"
_TURN = re.compile(
    rf"[ \t]{{0,3}}(?:>[ \t]?)?(?:[-*+][ \t]+)?(?:{_TIME})?(?:\*\*|__)?"
    rf"({_NAME_WORD}(?: {_NAME_WORD}){{0,2}})(?:[ \t]?\([^()]{{1,40}}\))?"
    r"(?:\*\*|__)?(?:[:][ \t]*(?:\*\*|__)?[ \t]+|：)(\S.*)$"
)
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)*_]*\s*$")

_ROLES = frozenset({"user", "assistant", "system", "human", "ai", "bot", "agent", "model", "tool"})
"""Speakers of chat logs, which are often written small."""

_LABELS = frozenset(
    "note notes todo fixme hint tip tips warning caution important info question answer q a pro pros con cons"
    " example examples input output before after step result results date time place where when who what why"
    " how name title author source status summary description goal context decision reason action actions"
    " owner due priority problem solution fix cause error expected actual id url link tags type version"
    " email phone address cost price".split()
)
"""Words before a colon that head a line and speak it not; lists of records repeat them."""


class _Turn(NamedTuple):
    line: int
    name: str
    said: str


def turn_lines(lines: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Of (line number, line), ascending and without fences, those at which a turn begins → whose it is.

    A dialogue has at least three turns near each other by at least two speakers of whom one comes
    back, and what is said reads like speech: a list of keys and values is none.
    """
    found: dict[int, str] = {}
    run: list[_Turn] = []
    for number, line in lines:
        turn = _turn(number, line) if ":" in line or "：" in line else None
        if turn is None:
            continue
        if run and turn.line - run[-1].line > WIDEST_GAP:
            found.update(_if_dialogue(run))
            run = []
        run.append(turn)
    found.update(_if_dialogue(run))
    return found


def _turn(number: int, line: str) -> _Turn | None:
    match = _TURN.match(line)
    if match is None:
        return None
    name = match[1]
    small = name.casefold()
    if small in _LABELS or not (small in _ROLES or all(_may_be_name(word) for word in name.split(" "))):
        return None
    return _Turn(number, small, match[2])


def _may_be_name(word: str) -> bool:
    """Capitalised, or of a script that has no capitals (there short, for it may be a sentence)."""
    return word[0].isupper() or (not word[0].islower() and len(word) <= 6)


def _if_dialogue(run: list[_Turn]) -> dict[int, str]:
    speakers = len({turn.name for turn in run})
    if len(run) < FEWEST_TURNS or speakers < FEWEST_SPEAKERS or 2 * speakers > len(run) + 1:
        return {}
    spoken = sum(1 for turn in run if _is_speech(turn.said))
    return {turn.line: turn.name for turn in run} if 2 * spoken >= len(run) else {}


def _is_speech(said: str) -> bool:
    words = said.split(maxsplit=4)
    return (
        len(words) >= 4 or _SENTENCE_END.search(said) is not None or (not said.isascii() and len(said) >= 8)
    )
