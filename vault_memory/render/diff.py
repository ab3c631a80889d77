"""What has changed in memories, as text: a line for each, changed keys, and the text's changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vault_memory.model.comparison import Comparison, Difference, How, KeyChange
from vault_memory.render.style import cells, counted, filled, harmless, styled

_COLOURS = {How.ADDED: "green", How.REMOVED: "red", How.MOVED: "cyan", How.EDITED: "yellow"}
_LINES = {"-": "red", "+": "green", "@": "cyan"}
SHORT = 7
"""So much of a commit's name is shown."""


def render_comparison(comparison: Comparison, *, colour: bool) -> str:
    """Each memory with what is different in it, and the count."""
    blocks = ["\n".join(_block(one, colour)) for one in comparison.differences]
    return "\n\n".join([*blocks, _summary(comparison)])


def _summary(comparison: Comparison) -> str:
    between = f"{_point(comparison.older)} → {_point(comparison.newer)}"
    if comparison.older in ("", f"{comparison.newer}^"):
        between = f"commit {_point(comparison.newer)}"
    every = comparison.differences
    if not every:
        return f"No memory differs ({between})."
    counts = [(how, sum(one.how is how for one in every)) for how in How]
    said = ", ".join(f"{number} {how.value}" for how, number in counts if number)
    return f"{counted(len(every), 'memory', 'memories')}: {said} ({between})"


def _point(text: str) -> str:
    """A commit's full name is shortened; what a person typed stays."""
    hexes = text.rstrip("^")
    is_full = len(hexes) in (40, 64) and all(one in "0123456789abcdef" for one in hexes)
    return harmless(hexes[:SHORT] + text[len(hexes) :] if is_full else text)


def _block(one: Difference, colour: bool) -> Iterator[str]:
    moved = f" from {harmless(one.came_from)}" if one.came_from is not None else ""
    path = styled(harmless(one.path), "bold", colour=colour)
    yield f"{path}   {styled(one.how.value, _COLOURS[one.how], colour=colour)}{moved}"
    yield from _keys(one.keys, colour)
    for line in one.lines:
        yield styled(harmless(f"  {line}"), _LINES.get(line[0], ""), colour=colour and line[0] in _LINES)
    if one.only_form:
        yield "  says the same: only line ends, quotes or remarks differ"


def _keys(changes: Sequence[KeyChange], colour: bool) -> Iterator[str]:
    width = max((cells(harmless(one.key)) for one in changes), default=0)
    for one in changes:
        key = filled(harmless(one.key), width)
        if one.before is None:
            yield styled(f"  + {key}  {value(one.after)}", "green", colour=colour)
        elif one.after is None:
            yield styled(f"  - {key}  {value(one.before)}", "red", colour=colour)
        else:
            yield f"  ~ {key}  {value(one.before)} → {value(one.after)}"


def value(found: object) -> str:
    """A front matter value on one line."""
    if isinstance(found, list | tuple):
        return f"[{', '.join(map(value, found))}]"
    if isinstance(found, dict):
        return f"{{{', '.join(f'{harmless(str(key))}: {value(each)}' for key, each in found.items())}}}"
    return '""' if found == "" else harmless(str(found))
