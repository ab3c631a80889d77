"""What stands of a memory none of whose passages fits: a beginning, its title with the size, its title."""

from __future__ import annotations

from collections.abc import Iterator

from vault_memory.model.cutting import trim
from vault_memory.model.excerpt import Unit
from vault_memory.model.harmless import boxed
from vault_memory.model.hit import Hit, Item, Shown
from vault_memory.model.measure import Block
from vault_memory.model.prompt import ENDING, Frame, note
from vault_memory.model.scale import Count
from vault_memory.model.sheet import Placed


def beginning(hit: Hit, unit: Unit, left: int, frame: Frame, count: Count, least: int) -> Placed | None:
    """The longest beginning of the unit that fits; `None` where there is no room for `least` tokens of it.

    Passages that share a code fence have none.
    """
    source = frame.source(hit.entry, unit.line, hit.superseded_by)
    room = left - count(f"\n\n{source}")
    if room < least or len(unit.passages) > 1:
        return None
    text = trim(unit.text, room, lambda text: count(f"\n{boxed(text)}{ENDING}"))
    if not text:
        return None
    return _fitting(hit, Shown.PASSAGES, text, unit.line, note(source, text, goes_on=True), left, count)


def titled(hit: Hit, line: int, body: str, left: int, frame: Frame, count: Count) -> Placed | None:
    """The source line, with the size of the body where there is room; `None` where not even it fits."""
    source = frame.source(hit.entry, line, hit.superseded_by)
    for block in _titles(hit, source, body, left, frame, count):
        placed = _fitting(hit, Shown.TITLE, "", line, block, left, count)
        if placed is not None:
            return placed
    return None


def _titles(hit: Hit, source: str, body: str, left: int, frame: Frame, count: Count) -> Iterator[str]:
    # Counting a long body takes time: only where a line with its size may fit.
    if count(f"\n\n{source}\n  {frame.size_line(hit.entry, 0)}") <= left:
        yield f"{source}\n  {frame.size_line(hit.entry, count(boxed(body)))}"
    yield source


def _fitting(
    hit: Hit, shown: Shown, text: str, line: int, block: str, left: int, count: Count
) -> Placed | None:
    tokens = count(f"\n\n{block}")
    return Placed(Item(hit, shown, line, text, tokens), Block(block, tokens)) if tokens <= left else None
