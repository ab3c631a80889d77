"""Cutting what was said into sentences, each with its line and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 600
"""Characters of a sentence; what is longer is no sentence that somebody said."""

_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)$")
_MARKUP = re.compile(r"(\*\*|__|(?<!\w)[*_](?=\w)|(?<=[\w.!?:)])[*_](?!\w))")
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\([^)\s]{0,1000}\)")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)")
_LAST = 16
"""Characters before a full stop that tell whether it ends a sentence."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|mr|mrs|dr|prof|fig|z\.\s?b|d\.\s?h|bzw|ca|"
    r"usw|evtl|ggf|u\.\s?a|nr|"
    r"inkl|max|min|[a-zA-Z])\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_MONTH = re.compile(r"\s+(?:[a-zäöü]|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `before` is the one before it in its paragraph, `heading` what stands over a list."""

    text: str
    offset: int
    """Lines of the turn above the one in which its paragraph begins."""
    before: str = ""
    heading: str = ""
    is_item: bool = False


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn, in order, without marks of emphasis. A heading is none, nor is a line that
    announces a list."""
    heading = ""
    for offset, lines, is_item in _paragraphs(text):
        plain = " ".join(" ".join(lines).split())
        plain = _MARKUP.sub("", _LINK.sub(r"\1", plain))
        title = _HEADING.match(plain)
        if title:
            heading = title[1].strip()
            continue
        if not is_item:
            heading = plain.rstrip(":") if plain.endswith(":") and len(plain) < 100 else ""
            if heading:
                continue
        before = ""
        for sentence in _cut(plain):
            if len(sentence) <= LONGEST:
                yield Sentence(sentence, offset, before, heading, is_item)
            before = sentence


def _paragraphs(text: str) -> Iterator[tuple[int, list[str], bool]]:
    """Runs of lines, and whether they are an item of a list: each item is a paragraph of its own."""
    held: list[str] = []
    first, is_item = 0, False
    for number, line in enumerate(text.split("\n")):
        item, blank = _ITEM.match(line), not line.strip()
        alone = _HEADING.match(line) is not None
        if held and (item or blank or alone):
            yield first, held, is_item
            held, is_item = [], False
        if alone:
            yield number, [line], False
        elif not blank:
            if not held:
                first, is_item = number, item is not None
            held.append(line[item.end() :] if item else line)
    if held:
        yield first, held, is_item


def _cut(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(paragraph):
        last = paragraph[max(start, end.end() - _LAST) : end.end()]
        if end[0] == "." and (
            _ABBREVIATION.search(last) or (_ORDINAL.search(last) and _MONTH.match(paragraph, end.end()))
        ):
            continue
        if sentence := paragraph[start : end.end()].strip():
            yield sentence
        start = end.end()
    if paragraph[start:].strip():
        yield paragraph[start:].strip()
