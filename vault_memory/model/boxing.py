"""A passage as it stands in the text of a recall, and whether it stands there whatever is around it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vault_memory.model.harmless import boxed, harmless, indented, open_fence

if TYPE_CHECKING:
    from vault_memory.model.scale import Scale

_KEPT = 4_096
_LONG = 20_000
"""Characters: a longer text is boxed anew each time."""


def box(text: str) -> str:
    """`harmless.boxed`, kept for the next time: the same passages answer many questions."""
    return _kept(text) if len(text) <= _LONG else boxed(text)


def weight_of(text: str, scale: Scale) -> int:
    """What the boxed text weighs; below 0, by as much, where what stands around it may change it; 0 for
    nothing to show.

    Where several texts that weigh more than 0 stand one under the other, with or without an empty line
    between, all of them boxed together are each of them boxed, one under the other.
    """
    shown = harmless(text)
    lines = indented(shown)
    mark = open_fence("\n".join(lines))
    if mark:
        lines.append(f"  {mark}")
    weight = empty = 0
    for line in lines:
        if line:
            weight += scale.weigh_indented(line[2:]) if line[2] != " " else scale.weigh(line)
        else:
            empty += 1
    if not lines:
        return 0
    weight += scale.line_end * (len(lines) - 1 - 2 * empty) + scale.blank_line * empty
    return -weight if mark or not _is_closed(text, shown) else weight


def _is_closed(text: str, shown: str) -> bool:
    """Whether no mark in it reaches beyond its ends, nor any from without into it, and it has text in its
    first line and its last one.

    What makes text harmless looks from a `<` to what follows it, up to the next `>` at most, and from a
    `[` up to the next `]`; whether pictures are harmless, all of the text has a say in.
    """
    if "![" in text or text.rfind("<") > text.rfind(">") or text.rfind("[") > text.rfind("]"):
        return False
    first, _, _ = shown.partition("\n")
    _, _, last = shown.rpartition("\n")
    return bool(first.strip() and last.strip())


_kept = lru_cache(_KEPT)(boxed)
