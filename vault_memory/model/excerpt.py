"""Pieces of a memory in file order: what may be shown apart, and how pieces go together again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from vault_memory.model.harmless import open_fence
from vault_memory.model.passage import StoredPassage
from vault_memory.model.prompt import GAP


class Unit(NamedTuple):
    """Neighbouring passages that are shown together or not at all; mostly a single one."""

    passages: tuple[StoredPassage, ...]
    text: str
    first: int
    """The ordinal of its first passage."""
    last: int
    line: int
    """The file's line at which it begins."""


def alone(stored: StoredPassage) -> Unit:
    """A passage that may be shown without its neighbours."""
    passage = stored.passage
    return Unit((stored,), passage.text, passage.ordinal, passage.ordinal, passage.start_line)


def unit(passages: Sequence[StoredPassage]) -> Unit:
    """Passages that are shown together."""
    first, last = passages[0].passage, passages[-1].passage
    return Unit(tuple(passages), joined(passages), first.ordinal, last.ordinal, first.start_line)


def joined(passages: Sequence[StoredPassage]) -> str:
    """Neighbouring passages as they stand in the file; more than one blank line counts as one."""
    parts = [passages[0].passage.text] if passages else []
    for before, stored in pairwise(passages):
        parts += ("\n" * line_ends(before, stored), stored.passage.text)
    return "".join(parts)


def units(passages: Sequence[StoredPassage]) -> list[Unit]:
    """All of a memory's passages, in file order; those that share a code fence are one unit."""
    found: list[Unit] = []
    together: list[StoredPassage] = []
    opened = ""
    for stored in passages:
        together.append(stored)
        opened = open_fence(stored.passage.text, opened)
        if not opened:
            found.append(unit(together))
            together = []
    if together:
        found.append(unit(together))
    return found


def excerpt(chosen: Sequence[Unit]) -> str:
    """Units, given in file order, with a line `…` where others lie between them."""
    if len(chosen) == 1:
        return chosen[0].text
    parts = [chosen[0].text]
    for before, after in pairwise(chosen):
        beside = before.last + 1 == after.first
        parts.append("\n" * line_ends(before.passages[-1], after.passages[0]) if beside else f"\n{GAP}\n")
        parts.append(after.text)
    return "".join(parts)


def line_ends(before: StoredPassage, after: StoredPassage) -> int:
    """How many stand between two neighbours: 1, 2 with a blank line; 0 within a line too long for one."""
    return min(max(after.passage.start_line - before.passage.end_line, 0), 2)
