"""Front matter opened for a change of some lines: where things stand, and the proof afterwards."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from vault_memory.errors import FrontMatterError
from vault_memory.model import codes
from vault_memory.model.split import Split, split
from vault_memory.model.yamlread import (
    Items,
    Node,
    Pairs,
    Text,
    anchors_in,
    key_text,
    line_at,
    plain,
    read_header,
)

USE_EDITOR = "change it in your editor; the file was left as it is"

_RAW_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_COLON = re.compile(r"[ \t]*:(?=[ \t\n]|\Z)")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(?:#.*)?")
_BLANK_OR_OUTER_COMMENT = re.compile(r"[ \t]*|#.*")


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to put in place of the header's characters from `start` up to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Header:
    """A file whose front matter can be changed. `text` is the header with LF line ends."""

    path: str
    content: bytes
    parts: Split
    text: str
    pairs: Pairs

    def refuse(self, offset: int, reason: str) -> FrontMatterError:
        """The error to raise for something at that offset."""
        return FrontMatterError(self.path, line_at(self.text, offset), reason, hint=USE_EDITOR)

    def find(self, key: str) -> int | None:
        """The number of the pair with that key, in any case; refused where there are two."""
        folded = key.casefold()
        numbers = [
            number
            for number, (node, _) in enumerate(self.pairs.pairs)
            if isinstance(node, Text) and node.value.casefold() == folded
        ]
        if len(numbers) > 1:
            second = self.pairs.pairs[numbers[1]][0]
            raise self.refuse(second.start, f"the key {key!r} stands there {len(numbers)} times")
        return numbers[0] if numbers else None

    def indent(self) -> str:
        """The white space before each key; refused where keys are not on lines of their own."""
        if self.pairs.flow:
            raise self.refuse(self.pairs.start, "the keys stand inside '{ }', not on lines of their own")
        if not self.pairs.pairs:
            return ""
        first = self.pairs.pairs[0][0].start
        return self.text[self.line_start(first) : first]

    def line_start(self, offset: int) -> int:
        """The offset at which the line holding `offset` begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The offset of the LF that ends the line holding `offset`, or the end of the text."""
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found

    def after_colon(self, number: int) -> int:
        """The offset behind a pair's colon; refused where the pair has an odd form."""
        key, value = self.pairs.pairs[number]
        indent = self.indent()
        before = self.text[self.line_start(key.start) : key.start]
        colon = _COLON.match(self.text, key.end)
        if before != indent or indent.strip() or colon is None:
            raise self.refuse(key.start, f"the key {key_text(key)!r} is not written as  key: value")
        if any(anchors_in(key)) or any(anchors_in(value)):
            raise self.refuse(key.start, f"{key_text(key)!r} holds an anchor that other lines may refer to")
        return colon.end()

    def lines_of(self, number: int) -> tuple[int, int]:
        """The offsets of a pair's whole lines, without blank and comment lines that follow."""
        key, value = self.pairs.pairs[number]
        start = self.line_start(key.start)
        following = self.pairs.pairs[number + 1 : number + 2]
        end = self.line_start(following[0][0].start) if following else len(self.text)
        in_block = isinstance(value, Text) and value.style in ("|", ">")
        loose = _BLANK_OR_OUTER_COMMENT if in_block else _BLANK_OR_COMMENT
        while end > start:
            last = self.line_start(end - 1)
            if last <= start or not loose.fullmatch(self.text[last:end].rstrip("\n")):
                break
            end = last
        return start, end

    def apply(self, *edits: Edit) -> bytes:
        """The file's bytes with the edits made and every other byte kept."""
        first, last = self.parts.header_span
        raw = self.content[first:last]
        lines = _RAW_LINE.findall(raw)
        raw_starts = [0, *accumulate(map(len, lines))]
        text_starts = [0, *(found.end() for found in re.finditer("\n", self.text))]

        def at(offset: int) -> int:
            line = bisect_right(text_starts, offset) - 1
            column = self.text[text_starts[line] : offset]
            if column and not _is_utf8(lines[line]):
                raise self.refuse(offset, "the line holds bytes that are not UTF-8")
            return raw_starts[line] + len(column.encode("utf-8"))

        for edit in sorted(edits, key=lambda one: one.start, reverse=True):
            new = edit.text.replace("\n", self.parts.newline).encode("utf-8")
            raw = raw[: at(edit.start)] + new + raw[at(edit.end) :]
        return self.content[:first] + raw + self.content[last:]


def open_header(path: str, content: bytes) -> Header:
    """Open a file's front matter for changes; raises `FrontMatterError` where it can't be read.

    A file without front matter opens as one with an empty header: `parts.header` tells.
    """
    parts = split(content)
    for fault in parts.faults:
        if parts.encoding != "utf-8" or fault.code == codes.NOT_CLOSED:
            raise FrontMatterError(path, fault.line, fault.message, hint=fault.advice)
    pairs = read_header(parts.header or "")
    if not isinstance(pairs, Pairs):
        raise FrontMatterError(path, pairs.line, pairs.message, hint=pairs.advice)
    return Header(path, content, parts, parts.header or "", pairs)


def prove(before: Header, after: bytes, key: str) -> Header:
    """The changed file's header, once it is proven that nothing but `key` is different.

    Raises `FrontMatterError` otherwise; the caller then has nothing to write.
    """
    place = before.find(key)
    offset = len(before.text.rstrip("\n")) if place is None else before.pairs.pairs[place][0].start
    refusal = before.refuse(offset, f"{key!r} can't be changed here without changing something else")
    try:
        changed = open_header(before.path, after)
    except FrontMatterError as error:
        raise refusal from error
    first, last = before.parts.header_span
    same_around = (
        after.startswith(before.content[:first])
        and after.endswith(before.content[last:])
        and changed.parts.body == before.parts.body
    )
    if not same_around or _others(before.pairs, key) != _others(changed.pairs, key):
        raise refusal
    return changed


def has_block_form(node: Node) -> bool:
    """Whether a value goes over lines of its own below its key."""
    if isinstance(node, Text):
        return node.style in ("|", ">")
    return isinstance(node, Items | Pairs) and not node.flow


def _others(pairs: Pairs, key: str) -> list[tuple[str, Any]]:
    folded = key.casefold()
    named = [(key_text(name), plain(value)) for name, value in pairs.pairs]
    return [pair for pair in named if pair[0].casefold() != folded]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
