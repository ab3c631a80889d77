"""Placing one memory into the tokens that are left: whole, its best passages, a beginning, its title."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from vault_memory.model.cutting import trim
from vault_memory.model.excerpt import Unit, excerpt, joined, units
from vault_memory.model.harmless import boxed
from vault_memory.model.hit import Hit, Item, Shown
from vault_memory.model.passage import StoredPassage
from vault_memory.model.prompt import ENDING, GAP, Frame, note

LEAST_TEXT = 24
"""Tokens: a beginning shorter than this tells less than the title with the size."""
_PLENTY = 12
"""Characters a token in hardly any text: a longer one is counted in pieces, which can end early."""

Count = Callable[[str], int]


@dataclass(frozen=True)
class Candidate:
    """A memory that may be shown, with all its passages in file order."""

    hit: Hit
    passages: tuple[StoredPassage, ...]

    @cached_property
    def body(self) -> str:
        """The passages as they stand in the file."""
        return joined(self.passages)

    @cached_property
    def units(self) -> list[Unit]:
        """What may be shown apart."""
        return units(self.passages)

    @cached_property
    def best(self) -> list[Unit]:
        """The units that matched, best first; all of them where it is not known which did."""
        unit_of = {stored.number: unit for unit in self.units for stored in unit.passages}
        matched = dict.fromkeys(unit_of[one.number].at for one in self.hit.passages if one.number in unit_of)
        return [self.units[at] for at in matched] or self.units


class Placed(NamedTuple):
    """A memory's item, and its lines in the text; `item.tokens` counts them with the blank line above."""

    item: Item
    block: str


class _Excerpt(NamedTuple):
    text: str
    line: int
    goes_on: bool


def place(candidate: Candidate, left: int, frame: Frame, count: Count, *, is_best: bool) -> Placed | None:
    """The most of a memory that fits into `left` tokens; `None` where not even its title does.

    The title comes with the size of the text; for the best memory of all it may come alone.
    """
    line = candidate.passages[0].passage.start_line if candidate.passages else 1
    source = frame.source(candidate.hit.entry, line)
    room = left - count(f"\n\n{source}")
    if room < 0:
        return None

    def placed(shown: Shown, text: str, line: int, block: str) -> Placed | None:
        tokens = count(f"\n\n{block}")
        return Placed(Item(candidate.hit, shown, line, text, tokens), block) if tokens <= left else None

    if _may_be_whole(candidate, room, count):
        whole = placed(Shown.WHOLE, candidate.body, line, note(source, candidate.body))
        if whole is not None:
            return whole
    for part in _parts(candidate, room, count):
        block = note(frame.source(candidate.hit.entry, part.line), part.text, goes_on=part.goes_on)
        excerpted = placed(Shown.PASSAGES, part.text, part.line, block)
        if excerpted is not None:
            return excerpted
    size_line = frame.size_line(candidate.hit.entry, 0)
    if count(f"\n  {size_line}") <= room:
        size_line = frame.size_line(candidate.hit.entry, count(boxed(candidate.body)))
        titled = placed(Shown.TITLE, "", line, f"{source}\n  {size_line}")
        if titled is not None:
            return titled
    return placed(Shown.TITLE, "", line, source) if is_best else None


def _may_be_whole(candidate: Candidate, room: int, count: Count) -> bool:
    """Whether it is worth the time to count the whole of it."""
    if len(candidate.body) <= _PLENTY * room:
        return True
    return _taken_while(candidate.units, room, count) == len(candidate.units)


def _taken_while(of: list[Unit], room: int, count: Count) -> int:
    for taken, unit in enumerate(of):
        room -= count(f"\n\n{boxed(unit.text)}")
        if room < 0:
            return taken
    return len(of)


def _parts(candidate: Candidate, room: int, count: Count) -> Iterator[_Excerpt]:
    """The best passages that fit together; where the best alone does not, beginnings of one."""
    gap = count(f"\n  {GAP}")
    chosen: list[Unit] = []
    left = room
    for unit in candidate.best:
        cost = count(f"\n{boxed(unit.text)}") + 2 * gap
        if cost <= left:
            chosen.append(unit)
            left -= cost
        elif not chosen:
            break
    if chosen:
        chosen.sort(key=lambda unit: unit.at)
        yield _Excerpt(excerpt(chosen), chosen[0].line, chosen[-1].at + 1 < len(candidate.units))
    if room < LEAST_TEXT:
        return
    for unit in candidate.best:
        if len(unit.passages) > 1:
            continue
        beginning = trim(unit.text, room, lambda text: count(f"\n{boxed(text)}{ENDING}"))
        if beginning:
            yield _Excerpt(beginning, unit.line, goes_on=True)
