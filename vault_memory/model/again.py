"""Telling whether a text says anything that a known one does not: a stricter question than whether they are
near-identical, since what is answered with the known one is not written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vault_memory.model.near import nearly_same
from vault_memory.model.normalform import normalized

_LINE_MARK = re.compile(r"^[ \t>]*(?:#{1,6}[ \t]+|[-*+][ \t]+)?", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]+?)(?<=[^\s*])\1(?![\w*])")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "’": "'", "‘": "'"})
_STOPS = ".,;:!…。！，；：、"
"""What may stand at the end of a word without saying anything. A question mark does."""
_TURNING = frozenset(
    "no not never none nothing without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't"
    " shouldn't mustn't only unless except if until till when while before after but however instead rather"
    " or maybe perhaps probably possibly sometimes usually mostly often rarely almost nearly about may might"
    " could should must always nicht kein keine nie nur ausser außer wenn bis aber oder 不 没 無".split()
)
"""Words that say something of all around them: a text that leaves one out says something else."""
LEFT_OUT = 0.1
"""So large a share of the known text's words may be missing in one that says nothing new."""


def words_said(text: str) -> tuple[str, ...]:
    """The words of a text that tell something, in order: no marks of lists, emphasis and ends, no `the`."""
    plain = normalized("NFC", text).translate(_QUOTES)
    if "```" not in plain and "~~~" not in plain:
        plain = _CODE.sub(r"\1", _EMPHASIS.sub(r"\2", _LINE_MARK.sub("", plain)))
    words: list[str] = []
    for word in plain.casefold().split():
        bare = word.strip('"').rstrip(_STOPS).strip('"')
        if words and words[-1] == "the" and bare != "few":
            words.pop()
        words.append(bare or word)
    return tuple(words)


def says_nothing_new(text: str, known: str) -> bool:
    """Whether all that a text says stands in the known one, in that order; of a near-identical text that
    has a little less, too, unless what it leaves out would turn the rest."""
    new, old = words_said(text), words_said(known)
    if new == old:
        return bool(new)
    if not 0 < len(old) - len(new) <= LEFT_OUT * len(old) or not new:
        return False
    left_out = _left_out(new, old)
    return left_out is not None and _TURNING.isdisjoint(left_out) and nearly_same(text, known)


def _left_out(new: Sequence[str], old: Sequence[str]) -> list[str] | None:
    """The words of `old` without those of `new`; `None` where these do not stand in it one after another."""
    left: list[str] = []
    at = 0
    for word in old:
        if at < len(new) and new[at] == word:
            at += 1
        else:
            left.append(word)
    return left if at == len(new) else None
