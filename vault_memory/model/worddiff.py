"""The changes of a text word by word: what stayed, what went and what came within a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from vault_memory.model.matching import Opcode, opcodes, pairs

KEPT, GONE, NEW = "=", "-", "+"
LEAST = 0.35
"""The share of two texts' characters that must be common for them to be shown as one with changes."""
MOST_PAIRS = 100_000
"""So many pairs of equal words are looked at to find out what belongs together: some tenths of a second."""
SHORT = 2
"""Characters: so little between two changes is taken for part of them."""

_WORD = re.compile(
    r"(?:\n[ \t]*(?=\n))+\n|[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,:/-]\d+)+"
    r"|[^\W_\u3040-\u30ff\u3400-\u9fff]+|[^\w\s]|_"
)
_BREAK = "\n\n"
"""The word that any number of blank lines is."""


class Piece(NamedTuple):
    """Some text and whether it stayed, went or came."""

    mark: str
    text: str


Line = tuple[Piece, ...]
"""One line, without its end; of several pieces where it was changed within."""


class Hunk(NamedTuple):
    """Changes that lie near one another. `at` says where, as in the unified form."""

    at: str
    lines: tuple[Line, ...]


class _Token(NamedTuple):
    word: str
    blanks: str
    """White space behind it; of blank lines, all of them."""


def hunks(unified: Sequence[str]) -> tuple[Hunk, ...]:
    """The changes of the unified form, word by word where the lines are still like one another."""
    found: list[Hunk] = []
    lines: list[Line] = []
    at = ""
    for mark, group in groupby(unified, key=lambda line: "±" if line[:1] in "-+" else line[:1]):
        if mark == "@":
            for line in group:
                if at:
                    found.append(Hunk(at, tuple(lines)))
                at, lines = line, []
        elif mark == "±":
            changed = list(group)
            old = [line[1:] for line in changed if line.startswith("-")]
            new = [line[1:] for line in changed if line.startswith("+")]
            lines += _changed(old, new)
        else:
            lines += [(Piece(KEPT, line[1:]),) for line in group]
    if at:
        found.append(Hunk(at, tuple(lines)))
    return tuple(found)


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Lines that took the place of others."""
    pieces = _pieces("\n".join(old), "\n".join(new)) if old and new else None
    if pieces is None:
        yield from ((Piece(GONE, line),) for line in old)
        yield from ((Piece(NEW, line),) for line in new)
        return
    line: list[Piece] = []
    for mark, text in pieces:
        if mark == GONE:
            line.append(Piece(mark, " ".join(text.split("\n"))))
            continue
        first, *rest = text.split("\n")
        line.append(Piece(mark, first))
        for part in rest:
            yield tuple(piece for piece in line if piece.text) or (Piece(mark, ""),)
            line = [Piece(mark, part)]
    yield tuple(piece for piece in line if piece.text) or (Piece(KEPT, ""),)


def _pieces(old: str, new: str) -> list[Piece] | None:
    """`None` where the two have too little in common, or differ in white space alone.

    What stayed and what came make the new text, to the character."""
    _, left = _tokens(old)
    indent, right = _tokens(new)
    if pairs([one.word for one in left], [one.word for one in right]) > MOST_PAIRS:
        return None
    changes = _opcodes(left, right)
    kept = sum(len(one.word) for tag, *_, j1, j2 in changes if tag == "equal" for one in right[j1:j2])
    every = sum(len(one.word) for one in (*left, *right))
    if not any(tag != "equal" for tag, *_ in changes) or 2 * kept < LEAST * every:
        return None
    found = [Piece(KEPT, indent)] if indent else []
    for tag, i1, i2, j1, j2 in changes:
        if tag == "equal":
            found.append(Piece(KEPT, _joined(right[j1:j2])))
            continue
        gone, came = _joined(left[i1:i2]), _joined(right[j1:j2])
        blanks = ""
        if gone and came and left[i2 - 1].blanks == right[j2 - 1].blanks:
            blanks = right[j2 - 1].blanks
        found += [
            Piece(GONE, gone.removesuffix(blanks) if blanks else gone),
            Piece(NEW, came.removesuffix(blanks) if blanks else came),
            Piece(KEPT, blanks),
        ]
    return _together(found)


def _together(pieces: Sequence[Piece]) -> list[Piece]:
    """Without empty ones; neighbours of one kind as one."""
    full = (piece for piece in pieces if piece.text)
    return [
        Piece(mark, "".join(piece.text for piece in several))
        for mark, several in groupby(full, key=lambda piece: piece.mark)
    ]


def _tokens(text: str) -> tuple[str, list[_Token]]:
    """White space before the first word, and the words, each with what is behind it."""
    words = list(_WORD.finditer(text))
    if not words:
        return text, []
    ends = [*(word.start() for word in words[1:]), len(text)]
    found = [
        _Token(_BREAK, text[word.start() : end])
        if "\n" in word[0]
        else _Token(word[0], text[word.end() : end])
        for word, end in zip(words, ends, strict=True)
    ]
    return text[: words[0].start()], found


def _joined(tokens: Sequence[_Token]) -> str:
    return "".join(one.blanks if one.word == _BREAK else one.word + one.blanks for one in tokens)


def _opcodes(left: Sequence[_Token], right: Sequence[_Token]) -> list[Opcode]:
    """What to do, with next to nothing left as common between two changes."""
    found: list[Opcode] = []
    every = opcodes([one.word for one in left], [one.word for one in right])
    for number, (tag, i1, i2, j1, j2) in enumerate(every):
        between = 0 < number < len(every) - 1
        stayed = tag == "equal" and not (between and sum(len(one.word) for one in right[j1:j2]) <= SHORT)
        if found and not stayed and found[-1][0] != "equal":
            _, first, _, other, _ = found.pop()
            found.append(("replace", first, i2, other, j2))
        else:
            found.append(("equal" if stayed else "replace", i1, i2, j1, j2))
    return found
