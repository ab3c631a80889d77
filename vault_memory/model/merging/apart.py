"""Merging lines so that what one side alone did counts, though it touches what the other did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from vault_memory.model.matching import Opcode, middle, opcodes, pairs

MOST_PAIRS = 1_000_000
"""So many pairs of equal lines are looked at to find out what belongs together; beyond, all between the
first and the last difference counts as changed."""
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class _Change(NamedTuple):
    """Lines `start` to `stop` of the base became `lines`."""

    start: int
    stop: int
    lines: tuple[bytes, ...]


def merge_apart(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bool]:
    """Their changes brought into ours, without markers, and whether nothing was in dispute.

    A line that one side took out goes, a line that one side brought in stays, wherever they stand. Where
    both have rewritten the same lines, ours stay as they are.
    """
    end = b"\r\n" if any(b"\r\n" in side for side in (base, ours, theirs)) else b"\n"
    old, left, right = (_lines(side, end) for side in (base, ours, theirs))
    mine, other = list(_changes(old, left)), list(_changes(old, right))
    kept, clean = _undisputed(mine, other)
    merged = b"".join(_woven(old, mine, kept))
    ends = [not side or side.endswith(b"\n") for side in (base, ours, theirs)]
    last = ends[2] if ends[1] == ends[0] else ends[1]
    return merged if last else merged.removesuffix(b"\n").removesuffix(b"\r"), clean


def _lines(content: bytes, end: bytes) -> list[bytes]:
    """All with their ends, the last one too."""
    return [line if line.endswith(b"\n") else line + end for line in _LINE.findall(content)]


def _changes(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[_Change]:
    for tag, i1, i2, j1, j2 in _opcodes(old, new):
        if tag == "equal":
            continue
        if i2 - i1 == j2 - j1:  # line by line, so that what is in dispute stays small
            yield from (_Change(i1 + at, i1 + at + 1, (new[j1 + at],)) for at in range(i2 - i1))
        else:
            yield _Change(i1, i2, tuple(new[j1:j2]))


def _opcodes(old: Sequence[bytes], new: Sequence[bytes]) -> Iterable[Opcode]:
    first, old_end, new_end = middle(old, new)
    left, right = old[first:old_end], new[first:new_end]
    if pairs(left, right) > MOST_PAIRS:
        return [("replace", first, first + len(left), first, first + len(right))]
    return [
        (tag, first + i1, first + i2, first + j1, first + j2) for tag, i1, i2, j1, j2 in opcodes(left, right)
    ]


def _undisputed(mine: Sequence[_Change], other: Sequence[_Change]) -> tuple[list[_Change], bool]:
    """Their changes but for those that rewrite what ours has changed, and whether that is all of them."""
    kept, clean, first = [], True, 0
    for change in other:
        if change.start == change.stop:
            kept.append(change)  # what comes in is about no line of anybody's
            continue
        while first < len(mine) and mine[first].stop < change.start:
            first += 1
        met = list(_met(mine, first, change))
        rewritten = any(own.lines and own.start < own.stop and own != change for own in met)
        if not met or not change.lines:
            kept.append(change)  # nobody else was here, or it only takes lines out
            clean = clean and not rewritten
        elif change not in met:
            # What it would rewrite ours may have taken out: then it is gone, and nothing is in dispute.
            gone = sum(own.stop - own.start for own in met if not own.lines and _around(own, change))
            clean = clean and gone > 0
    return kept, clean


def _met(mine: Sequence[_Change], first: int, change: _Change) -> Iterator[_Change]:
    """Those of ours, from the number `first` on, that are about the lines which theirs takes out."""
    for at in range(first, len(mine)):
        own = mine[at]
        if own.start >= change.stop:
            return
        if own.stop > change.start:
            yield own


def _around(own: _Change, change: _Change) -> bool:
    return own.start <= change.start and change.stop <= own.stop


def _woven(old: Sequence[bytes], mine: Sequence[_Change], other: Sequence[_Change]) -> Iterator[bytes]:
    """The lines that neither side took out, and before each what either side has brought in."""
    gone = {at for change in (*mine, *other) for at in range(change.start, change.stop)}
    mine_at, other_at = _by_start(mine), _by_start(other)
    for at in range(len(old) + 1):
        (own_new, own_instead), (new, instead) = (one.get(at, ([], [])) for one in (mine_at, other_at))
        if not _holds(own_new, new):
            yield from new
        yield from own_new
        yield from instead
        yield from own_instead
        if at < len(old) and at not in gone:
            yield old[at]


def _by_start(changes: Sequence[_Change]) -> dict[int, tuple[list[bytes], list[bytes]]]:
    """The lines that come in before a line of the base, and those that come in its place."""
    found: dict[int, tuple[list[bytes], list[bytes]]] = {}
    for change in changes:
        found.setdefault(change.start, ([], []))[change.start < change.stop].extend(change.lines)
    return found


def _holds(lines: Sequence[bytes], part: Sequence[bytes]) -> bool:
    """Whether those lines stand among these, one behind the other; all have their ends."""
    return b"\n" + b"".join(part) in b"\n" + b"".join(lines)
