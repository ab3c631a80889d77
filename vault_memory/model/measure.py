"""What the parts of a recall's text count: by the weights of their lines, or each part as a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from vault_memory.model.boxing import box, weight_of
from vault_memory.model.excerpt import Unit, excerpt, line_ends
from vault_memory.model.prompt import ENDING, GAP, note
from vault_memory.model.scale import Count, Scale


class Block(NamedTuple):
    """A memory's lines in the text; `tokens` counts them with the blank line above, `weight` (`None` where
    it is not known) without."""

    text: str
    tokens: int
    weight: int | None = None


class Source(NamedTuple):
    """A source line; `tokens` counts it with the blank line above."""

    text: str
    tokens: int
    weight: int = 0


class Measure(Protocol):
    """Tokens of the parts that a page is put together of."""

    @property
    def gap(self) -> int:
        """Of a line `…`."""

    @property
    def line_end(self) -> int:
        """Of an empty line."""

    def unit(self, unit: Unit) -> int:
        """Of its lines, with the line end before them; 0 where it shows nothing."""

    def source(self, text: str) -> Source:
        """A source line."""

    def together(self, units: Sequence[Unit], frames: Iterable[tuple[Source, int]]) -> int:
        """Of all lines on the page: units, and source lines with so many lines `…` each."""

    def block(self, source: Source, chosen: Sequence[Unit], *, goes_on: bool) -> Block:
        """A source line with the units, given in file order, under it."""

    def whole(self, header: str, blocks: Sequence[Block]) -> int:
        """Of the whole text."""


class ByText:
    """For counters of which nothing is known but that parts do not count less than the whole."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self.gap = count(f"\n  {GAP}")
        self.line_end = count("\n")

    def unit(self, unit: Unit) -> int:
        """Counted with the line end before it."""
        inside = box(unit.text)
        return self._count(f"\n{inside}") if inside else 0

    def source(self, text: str) -> Source:
        """Counted with the blank line above."""
        return Source(text, self._count(f"\n\n{text}"))

    def together(self, units: Sequence[Unit], frames: Iterable[tuple[Source, int]]) -> int:
        """Counted as one text."""
        lines = (f"\n{box(unit.text)}" for unit in units)
        above = (f"\n\n{source.text}{ENDING * gaps}" for source, gaps in frames)
        return self._count("".join((*lines, *above)))

    def block(self, source: Source, chosen: Sequence[Unit], *, goes_on: bool) -> Block:
        """Counted with the blank line above."""
        text = note(source.text, excerpt(chosen), goes_on=goes_on)
        return Block(text, self._count(f"\n\n{text}"))

    def whole(self, header: str, blocks: Sequence[Block]) -> int:
        """Counted as one text."""
        return self._count(header + "".join(f"\n\n{one.text}" for one in blocks))


class ByWeight:
    """The same numbers from what lines weigh: known of passages, so that few texts are looked at."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self._gap = scale.weigh(f"  {GAP}")
        self.gap = scale.tokens(scale.line_end + self._gap)
        self.line_end = scale.count("\n")
        self._by_text = ByText(scale.count)

    def unit(self, unit: Unit) -> int:
        """Its weight and that of a line end."""
        weight, scale = abs(self._weight(unit)), self._scale
        return -(-(scale.line_end + weight) // scale.unit) if weight else 0

    def source(self, text: str) -> Source:
        """Its weight and that of an empty line above."""
        scale = self._scale
        weight = scale.weigh(text)
        return Source(text, scale.tokens(scale.blank_line + weight), weight)

    def together(self, units: Sequence[Unit], frames: Iterable[tuple[Source, int]]) -> int:
        """The sum of what all lines weigh."""
        scale = self._scale
        weights = [abs(self._weight(unit)) for unit in units]
        if not all(weights):  # a line end with nothing behind it makes the next one an empty line
            return self._by_text.together(units, frames)
        total = sum(weights) + scale.line_end * len(weights)
        for source, gaps in frames:
            total += scale.blank_line + source.weight + gaps * (scale.line_end + self._gap)
        return scale.tokens(total)

    def block(self, source: Source, chosen: Sequence[Unit], *, goes_on: bool) -> Block:
        """Put together of its units as each is boxed, where none has a say in another."""
        scale = self._scale
        if len(chosen) == 1 and (weight := self._weight(chosen[0])) > 0:
            return self._alone(source, chosen[0], weight, goes_on=goes_on)
        weights = [self._weight(unit) for unit in chosen]
        between = [
            line_ends(one.passages[-1], next_.passages[0]) if one.last + 1 == next_.first else None
            for one, next_ in pairwise(chosen)
        ]
        if min(weights) <= 0 or 0 in between:
            text = note(source.text, excerpt(chosen), goes_on=goes_on)
            weight = scale.weigh(text)
            return Block(text, scale.tokens(scale.blank_line + weight), weight)
        weight = source.weight + scale.line_end + sum(weights)
        parts = [source.text, "\n", box(chosen[0].text)]
        for ends, unit in zip(between, chosen[1:], strict=True):
            weight += _between(scale, self._gap, ends)
            parts += (_SIGNS[ends], box(unit.text))
        if goes_on:
            weight += scale.line_end + self._gap
            parts.append(ENDING)
        return Block("".join(parts), scale.tokens(scale.blank_line + weight), weight)

    def _alone(self, source: Source, unit: Unit, weight: int, *, goes_on: bool) -> Block:
        scale = self._scale
        weight += source.weight + scale.line_end
        text = f"{source.text}\n{box(unit.text)}"
        if goes_on:
            weight += scale.line_end + self._gap
            text += ENDING
        return Block(text, scale.tokens(scale.blank_line + weight), weight)

    def whole(self, header: str, blocks: Sequence[Block]) -> int:
        """The sum of what all lines weigh."""
        scale = self._scale
        weight = scale.weigh(header)
        for one in blocks:
            weight += scale.blank_line + (scale.weigh(one.text) if one.weight is None else one.weight)
        return scale.tokens(weight)

    def _weight(self, unit: Unit) -> int:
        if len(unit.passages) == 1:
            known = unit.passages[0].weight
            if known is not None:
                return known
        return weight_of(unit.text, self._scale)


_SIGNS = {1: "\n", 2: "\n\n", None: f"{ENDING}\n"}
"""What stands between two units, by the line ends between them; `None` where others lie between."""


def _between(scale: Scale, gap: int, ends: int | None) -> int:
    if ends is None:
        return 2 * scale.line_end + gap
    return scale.line_end if ends == 1 else scale.blank_line


def measure(count: Count, scale: Scale | None) -> Measure:
    """The one for a counter: by weights where it has a scale."""
    return ByText(count) if scale is None else ByWeight(scale)
