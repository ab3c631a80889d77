"""One memory's lines in the text of a recall, growing by a few passages at a time."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from vault_memory.model.excerpt import Unit, excerpt, line_ends
from vault_memory.model.hit import Hit, Item, Shown
from vault_memory.model.measure import Block, Measure, Source
from vault_memory.model.passage import StoredPassage
from vault_memory.model.prompt import Frame


class Placed(NamedTuple):
    """A memory's item, and its lines in the text."""

    item: Item
    block: Block


class Layout(NamedTuple):
    """What a sheet costs, part by part."""

    line: int
    """Of the file, at which the shown text begins."""
    source: int
    texts: int
    gaps: int
    blank_lines: int
    goes_on: bool

    def tokens(self, measure: Measure) -> int:
        """All of it."""
        gaps = self.gaps + self.goes_on
        return self.source + self.texts + gaps * measure.gap + self.blank_lines * measure.line_end


_layout: Callable[[tuple[int, int, int, int, int, bool]], Layout] = partial(tuple.__new__, Layout)
"""`Layout`, made in a third of the time."""
_first = attrgetter("first")
_EMPTY = Layout(0, 0, 0, -1, 0, goes_on=True)


class Sheet:
    """A memory's source line and those of its passages that are shown.

    Who adds a unit says what its indented lines count; what the layout costs is then at least what
    the whole counts, if counting is subadditive.
    """

    def __init__(self, hit: Hit, frame: Frame, measure: Measure) -> None:
        self.hit = hit
        self.tokens = 0
        """What its pieces count together."""
        self._layout = _EMPTY
        self._frame = frame
        self._measure = measure
        self._sources: dict[int, Source] = {}
        self._units: list[tuple[Unit, Layout]] = []
        self._held: dict[int, StoredPassage] = {}

    @property
    def missing(self) -> int:
        """How many of the memory's passages are not shown."""
        return self._units[0][0].passages[0].among - len(self._held)

    @property
    def frame(self) -> tuple[Source, int]:
        """The source line, and how many lines `…` there are."""
        return self._source(self._layout.line), self._layout.gaps + self._layout.goes_on

    def holds(self, unit: Unit) -> bool:
        """Whether one of its passages is shown."""
        if len(unit.passages) == 1:
            return unit.first in self._held
        return any(one.passage.ordinal in self._held for one in unit.passages)

    def around(self) -> Iterator[int]:
        """The numbers of the passages that are not shown, the nearest to those that are first."""
        held = list(self._held)
        first, among = self._held[held[0]].number - held[0], self._held[held[0]].among
        seen = set(held)
        for distance in range(1, among):
            for ordinal in held:
                for near in (ordinal + distance, ordinal - distance):
                    if 0 <= near < among and near not in seen:
                        seen.add(near)
                        yield first + near
            if len(seen) == among:
                return

    def look(self, unit: Unit, tokens: int) -> Layout:
        """How it would be with the unit, whose lines count `tokens`, on it as well."""
        now = self._layout
        if not self._units:
            more = unit.last + 1 < unit.passages[0].among
            return _layout((unit.line, self._source(unit.line).tokens, tokens, 0, 0, more))
        before, after = self._held.get(unit.first - 1), self._held.get(unit.last + 1)
        gaps, blank_lines = now.gaps + 1, now.blank_lines
        if before is not None:
            gaps -= 1
            blank_lines += line_ends(before, unit.passages[0]) > 1
        if after is not None:
            gaps -= 1
            blank_lines += line_ends(unit.passages[-1], after) > 1
        line, source = now.line, now.source
        if unit.line < line:
            line = unit.line
            source = self._source(line).tokens
        goes_on = now.goes_on and unit.last + 1 < unit.passages[0].among
        return _layout((line, source, now.texts + tokens, gaps, blank_lines, goes_on))

    def add(self, unit: Unit, layout: Layout, tokens: int) -> None:
        """Show the unit; the layout is that of `look`, and the tokens are what it counts."""
        self._units.append((unit, self._layout))
        for stored in unit.passages:
            self._held[stored.passage.ordinal] = stored
        self._layout = layout
        self.tokens = tokens

    def undo(self) -> None:
        """Take off the unit that came last."""
        unit, self._layout = self._units.pop()
        self.tokens = self._layout.tokens(self._measure) if self._units else 0
        for stored in unit.passages:
            del self._held[stored.passage.ordinal]

    def placed(self, fits: Container[int]) -> Placed:
        """The sheet as it stands; `fits` are the numbers of the passages that fit the query."""
        chosen = [unit for unit, _ in self._units]
        if len(chosen) > 1:
            chosen.sort(key=_first)
        line = self._layout.line
        block = self._measure.block(self._source(line), chosen, goes_on=self._layout.goes_on)
        matched = tuple([stored for stored in self._held.values() if stored.number in fits])
        shown = Shown.PASSAGES if self.missing else Shown.WHOLE
        hit = self.hit._replace(passages=matched)
        return Placed(Item(hit, shown, line, excerpt(chosen), block.tokens), block)

    def _source(self, line: int) -> Source:
        """The source line that names that line of the file."""
        known = self._sources.get(line)
        if known is None:
            source = self._frame.source(self.hit.entry, line, self.hit.superseded_by)
            known = self._sources[line] = self._measure.source(source)
        return known
