"""Packing the blocks of a body into passages of like size."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from vault_memory.model.blocks import Block, Kind, blocks, is_item
from vault_memory.model.longline import size, split_line
from vault_memory.model.passage import Passage

TARGET = 1_200
"""Bytes (UTF-8) up to which paragraphs are packed into one passage: about 300 tokens."""
FENCE_LIMIT = 4 * TARGET
"""Bytes up to which fenced code stays whole."""


class Spoken(NamedTuple):
    """A passage, and who speaks in it: the name in lower case, empty where it is no turn of a dialogue."""

    passage: Passage
    speaker: str


def pack(body: str, first_line: int) -> tuple[Spoken, ...]:
    """The passages of a body, as `passage.cut` promises them, with their speakers."""
    packer = _Packer(body.split("\n"), first_line)
    for block in blocks(packer.lines):
        if block.kind is Kind.HEADING:
            packer.head(block)
        else:
            packer.add(block)
    packer.flush()
    if not packer.done:
        return (Spoken(_passage(0, first_line, first_line, (), ""), ""),)
    return tuple(packer.done)


class _Piece(NamedTuple):
    first: int
    last: int
    text: str
    size: int


class _Packer:
    """Gathers pieces of blocks into passages of about `TARGET` bytes."""

    def __init__(self, lines: list[str], first_line: int) -> None:
        self.lines = lines
        self.done: list[Spoken] = []
        self._first_line = first_line
        self._above: list[Block] = []
        self._pending: list[_Piece] = []
        self._size = 0
        self._speaker = ""
        self._bare = False
        """Whether headings alone are pending: they go with whatever comes next."""

    def head(self, block: Block) -> None:
        """Begin a section. A heading right below one of a higher level stays with it."""
        if not (self._bare and block.level > self._above[-1].level):
            self.flush()
        while self._above and self._above[-1].level >= block.level:
            self._above.pop()
        self._above.append(block)
        for piece in self._pieces(block):
            self._append(piece)
        self._bare = True

    def add(self, block: Block) -> None:
        """Take a block in; a turn of a dialogue keeps to itself."""
        alone = block.kind is Kind.TURN
        if alone and not self._bare:
            self.flush()
        self._speaker = block.title if alone else ""
        for piece in self._pieces(block):
            if not self._bare and not self._fits(piece):
                self.flush()
            self._append(piece)
            self._bare = False
        if alone:
            self.flush()

    def flush(self) -> None:
        """Make a passage of what is pending."""
        if not self._pending:
            return
        first, last = self._pending[0].first, self._pending[-1].last
        texts = [self._pending[0].text]
        for before, piece in pairwise(self._pending):
            texts += self.lines[before.last + 1 : piece.first]
            texts.append(piece.text)
        headings = tuple(block.title for block in self._above if block.title)
        start, end = self._first_line + first, self._first_line + last
        passage = _passage(len(self.done), start, end, headings, "\n".join(texts))
        self.done.append(Spoken(passage, self._speaker))
        self._pending, self._size, self._bare = [], 0, False

    def _append(self, piece: _Piece) -> None:
        if self._pending and self._pending[-1].last == piece.first:
            self.flush()
        self._size += piece.size + self._gap(piece)
        self._pending.append(piece)

    def _fits(self, piece: _Piece) -> bool:
        return not self._pending or self._size + self._gap(piece) + piece.size <= TARGET

    def _gap(self, piece: _Piece) -> int:
        """Bytes of the line ends and blank lines between what is pending and the piece."""
        if not self._pending:
            return 0
        return sum(size(line) + 1 for line in self.lines[self._pending[-1].last + 1 : piece.first]) + 1

    def _pieces(self, block: Block) -> Iterator[_Piece]:
        """The block whole where it may be; else its items or lines, and pieces of lines too long."""
        limit = FENCE_LIMIT if block.kind is Kind.FENCE else TARGET
        for first, last in self._units(block, limit):
            text = "\n".join(self.lines[first : last + 1])
            bytes_long = size(text)
            if bytes_long <= limit:
                yield _Piece(first, last, text, bytes_long)
                continue
            for part in split_line(text, limit):
                if part.strip():
                    yield _Piece(first, last, part, size(part))

    def _units(self, block: Block, limit: int) -> Iterator[tuple[int, int]]:
        """(first, last) of runs of lines that fit, as long as the block's kind wants; or one line."""
        if self._size_of(block.first, block.last) <= limit:
            yield block.first, block.last
            return
        wholes: Iterable[tuple[int, int]] = [(block.first, block.last)]
        if block.kind is Kind.LIST:
            wholes = self._items(block)
        for first, last in wholes:
            if self._size_of(first, last) <= limit:
                yield first, last
                continue
            yield from self._runs(first, last, limit if block.kind is Kind.FENCE else 0)

    def _items(self, block: Block) -> Iterator[tuple[int, int]]:
        first = block.first
        for index in range(block.first + 1, block.last + 1):
            if is_item(self.lines[index]):
                yield self._trimmed(first, index - 1)
                first = index
        yield self._trimmed(first, block.last)

    def _runs(self, first: int, last: int, limit: int) -> Iterator[tuple[int, int]]:
        """Runs of lines of at most `limit` bytes, or single lines."""
        start, taken = first, 0
        for index in range(first, last + 1):
            line = size(self.lines[index]) + 1
            if index > start and taken + line > limit:
                yield from self._unless_blank(start, index - 1)
                start, taken = index, 0
            taken += line
        yield from self._unless_blank(start, last)

    def _unless_blank(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        while first <= last and not self.lines[first].strip():
            first += 1
        if first <= last:
            yield self._trimmed(first, last)

    def _trimmed(self, first: int, last: int) -> tuple[int, int]:
        while not self.lines[last].strip():
            last -= 1
        return first, last

    def _size_of(self, first: int, last: int) -> int:
        if first == last:
            return size(self.lines[first])
        return sum(size(self.lines[index]) + 1 for index in range(first, last + 1)) - 1


def _passage(ordinal: int, start: int, end: int, headings: tuple[str, ...], text: str) -> Passage:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Passage(ordinal, start, end, headings, text, digest)
