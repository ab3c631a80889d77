"""Telling the blocks of a Markdown body apart: headings, fences, lists, tables, turns, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from vault_memory.model.dialogue import turn_lines


class Kind(Enum):
    """What a block is; it decides where the block may be parted."""

    HEADING = auto()
    FENCE = auto()
    LIST = auto()
    TABLE = auto()
    TURN = auto()
    """One person's turn in a dialogue."""
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """The lines `first` to `last` (0-based, `last` included); neither of them is blank."""

    kind: Kind
    first: int
    last: int
    level: int = 0
    title: str = ""
    """Level (1–6) and text of a heading; of a turn, the name of its speaker in lower case."""


_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(?:={2,}|-{3,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")
_INDENTED = re.compile(r"(?: {2,}|\t)\S")
_ROW = re.compile(r"[ \t]*\|")


def blocks(lines: Sequence[str]) -> list[Block]:
    """The blocks in order; every line that is not blank lies in exactly one."""
    found: list[Block] = []
    section: list[Block] = []
    for block in _split(lines):
        if block.kind is Kind.HEADING:
            found += _with_turns(section, lines)
            found.append(block)
            section = []
        else:
            section.append(block)
    found += _with_turns(section, lines)
    return found


def is_item(line: str) -> bool:
    """Whether a list item begins on the line."""
    return _ITEM.match(line) is not None


def _split(lines: Sequence[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block = _block_at(lines, at)
        yield block
        at = block.last + 1


def _block_at(lines: Sequence[str], at: int) -> Block:
    line = lines[at]
    if not line[0].isalpha():  # as no mark is, and most lines are
        if fence := _FENCE.match(line):
            return Block(Kind.FENCE, at, _fence_end(lines, at, fence[1]))
        if heading := _HEADING.match(line):
            return Block(Kind.HEADING, at, at, len(heading[1]), _heading_text(heading[2] or ""))
        if _ROW.match(line):
            return Block(Kind.TABLE, at, _last_that(_ROW, lines, at))
        if is_item(line):
            return Block(Kind.LIST, at, _list_end(lines, at))
    end = at
    while end + 1 < len(lines) and lines[end + 1].strip() and not _begins_other(lines[end + 1]):
        end += 1
        if end == at + 1 and _UNDERLINE.match(lines[end]):
            return Block(Kind.HEADING, at, end, 1 if "=" in lines[end] else 2, line.strip())
    return Block(Kind.TEXT, at, end)


def _heading_text(raw: str) -> str:
    """Without the closing run of `#`, which must stand apart to be one."""
    text = raw.strip()
    open_end = text.rstrip("#")
    return open_end.rstrip() if open_end[-1:] in {"", " ", "\t"} else text


def _begins_other(line: str) -> bool:
    """Whether the line, which is not empty, begins something else than text."""
    return not line[0].isalpha() and any(pattern.match(line) for pattern in (_FENCE, _HEADING, _ROW, _ITEM))


def _fence_end(lines: Sequence[str], at: int, mark: str) -> int:
    """The closing line, or the last line with text where the fence is never closed."""
    closing = re.compile(rf"[ \t]*(?:>[ \t]+)?{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
    last = at
    for index in range(at + 1, len(lines)):
        if closing.match(lines[index]):
            return index
        if lines[index].strip():
            last = index
    return last


def _list_end(lines: Sequence[str], at: int) -> int:
    """Items, their lazy or indented lines, and blank lines that more of the list follows."""
    end, after_blank = at, False
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if not line.strip():
            after_blank = True
            continue
        if _FENCE.match(line) or _HEADING.match(line) or _ROW.match(line):
            break
        if after_blank and not (is_item(line) or _INDENTED.match(line)):
            break
        end, after_blank = index, False
    return end


def _last_that(pattern: re.Pattern[str], lines: Sequence[str], at: int) -> int:
    while at + 1 < len(lines) and pattern.match(lines[at + 1]):
        at += 1
    return at


def _with_turns(section: Sequence[Block], lines: Sequence[str]) -> Iterator[Block]:
    """The blocks of a section, those that hold turns of a dialogue parted before each turn."""
    prose = [block for block in section if block.kind in {Kind.TEXT, Kind.LIST}]
    turns = turn_lines(
        (index, lines[index]) for block in prose for index in range(block.first, block.last + 1)
    )
    for block in section:
        starts = [index for index in range(block.first, block.last + 1) if index in turns] if turns else []
        if not starts or block.kind not in {Kind.TEXT, Kind.LIST}:
            yield block
            continue
        if starts[0] > block.first:
            yield _trimmed(block.kind, block.first, starts[0] - 1, lines)
        for start, following in zip(starts, [*starts[1:], block.last + 1], strict=True):
            yield _trimmed(Kind.TURN, start, following - 1, lines, turns[start])


def _trimmed(kind: Kind, first: int, last: int, lines: Sequence[str], title: str = "") -> Block:
    while not lines[last].strip():
        last -= 1
    return Block(kind, first, last, title=title)
