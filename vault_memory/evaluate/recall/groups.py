"""Questions in groups: all of them, each half, each category, and each category of a half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vault_memory.evaluate.recall.conversations import HELD_OUT, TUNING
from vault_memory.evaluate.recall.result import Asked


@dataclass(frozen=True, slots=True)
class Group:
    """The places of some questions in a run; `None` stands for every half or category."""

    half: str | None
    category: str | None
    members: tuple[int, ...]


def groups(asked: Sequence[Asked], *, by_category: bool = True) -> list[Group]:
    """The groups that hold a question; a half or category that holds them all is not told twice."""
    halves: list[str | None] = [None]
    if len({one.half for one in asked}) > 1:
        halves += [half for half in (TUNING, HELD_OUT) if any(one.half == half for one in asked)]
    names = sorted({one.category for one in asked})
    categories: list[str | None] = [None]
    if by_category and len(names) > 1:
        categories += names
    found = [
        Group(half, category, _members(asked, half, category)) for category in categories for half in halves
    ]
    return [one for one in found if one.members]


def _members(asked: Sequence[Asked], half: str | None, category: str | None) -> tuple[int, ...]:
    return tuple(
        at for at, one in enumerate(asked) if half in {None, one.half} and category in {None, one.category}
    )
