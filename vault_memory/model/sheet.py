"""One memory's lines in the text of a recall, growing by a few passages at a time."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import NamedTuple

from vault_memory.model.excerpt import Unit, excerpt, line_ends
from vault_memory.model.hit import Hit, Item, Shown
from vault_memory.model.passage import StoredPassage
from vault_memory.model.prompt import ENDING, Frame, note

Count = Callable[[str], int]


class Placed(NamedTuple):
    """A memory's item, and its lines in the text; `item.tokens` counts them with the blank line above."""

    item: Item
    block: str


class Costs(NamedTuple):
    """Tokens of what stands between passages, counted once."""

    gap: int
    """A line `…`."""
    line_end: int


class Layout(NamedTuple):
    """What a sheet costs, part by part."""

    line: int
    """Of the file, at which the shown text begins."""
    source: int
    texts: int
    gaps: int
    blank_lines: int
    goes_on: bool

    def tokens(self, costs: Costs) -> int:
        """All of it."""
        gaps = self.gaps + self.goes_on
        return self.source + self.texts + gaps * costs.gap + self.blank_lines * costs.line_end


_EMPTY = Layout(0, 0, 0, -1, 0, goes_on=True)


class Sheet:
    """A memory's source line and those of its passages that are shown.

    Who adds a unit says what its indented lines count; what the layout costs is then at least what
    the whole counts, if counting is subadditive.
    """

    def __init__(self, hit: Hit, frame: Frame, costs: Costs, count: Count) -> None:
        self.hit = hit
        self.tokens = 0
        """What its pieces count together."""
        self._layout = _EMPTY
        self._frame = frame
        self._costs = costs
        self._count = count
        self._sources: dict[int, tuple[str, int]] = {}
        self._units: list[tuple[Unit, Layout]] = []
        self._held: dict[int, StoredPassage] = {}

    @property
    def missing(self) -> int:
        """How many of the memory's passages are not shown."""
        return self._units[0][0].passages[0].among - len(self._held)

    @property
    def frame(self) -> str:
        """The source line and the lines `…`, with the line ends before them."""
        gaps = self._layout.gaps + self._layout.goes_on
        return f"\n\n{self._source(self._layout.line)[0]}{ENDING * gaps}"

    def holds(self, ordinal: int) -> bool:
        """Whether that passage is shown."""
        return ordinal in self._held

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
        before, after = self._held.get(unit.first - 1), self._held.get(unit.last + 1)
        gaps, blank_lines = now.gaps + 1, now.blank_lines
        if before is not None:
            gaps -= 1
            blank_lines += line_ends(before, unit.passages[0]) > 1
        if after is not None:
            gaps -= 1
            blank_lines += line_ends(unit.passages[-1], after) > 1
        line, source = now.line, now.source
        if not self._units or unit.line < line:
            line = unit.line
            _, source = self._source(line)
        goes_on = now.goes_on and unit.last + 1 < unit.passages[0].among
        return Layout(line, source, now.texts + tokens, gaps, blank_lines, goes_on)

    def add(self, unit: Unit, layout: Layout) -> None:
        """Show the unit; the layout is that of `look`."""
        self._units.append((unit, self._layout))
        self._held.update((stored.passage.ordinal, stored) for stored in unit.passages)
        self._layout = layout
        self.tokens = layout.tokens(self._costs)

    def undo(self) -> None:
        """Take off the unit that came last."""
        unit, self._layout = self._units.pop()
        self.tokens = self._layout.tokens(self._costs) if self._units else 0
        for stored in unit.passages:
            del self._held[stored.passage.ordinal]

    def placed(self, fits: Container[int]) -> Placed:
        """The sheet as it stands; `fits` are the numbers of the passages that fit the query."""
        chosen = sorted((unit for unit, _ in self._units), key=lambda unit: unit.first)
        text = excerpt(chosen)
        line = self._layout.line
        block = note(self._source(line)[0], text, goes_on=self._layout.goes_on)
        matched = tuple([stored for stored in self._held.values() if stored.number in fits])
        shown = Shown.PASSAGES if self.missing else Shown.WHOLE
        hit = Hit(self.hit.entry, self.hit.score, self.hit.parts, matched)
        return Placed(Item(hit, shown, line, text, self._count(f"\n\n{block}")), block)

    def _source(self, line: int) -> tuple[str, int]:
        """The source line that names that line of the file, and what it counts with the blank line above."""
        known = self._sources.get(line)
        if known is None:
            text = self._frame.source(self.hit.entry, line)
            known = self._sources[line] = (text, self._count(f"\n\n{text}"))
        return known
