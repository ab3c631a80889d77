"""All flags, the weightiest first, and what finds those that one memory's two versions tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vault_memory.model.flags import flag
from vault_memory.model.flags.flag import Flag, Sides
from vault_memory.model.flags.instructions import instructions
from vault_memory.model.flags.sides import expiry, faults, importance, place, secrets

Look = Callable[[Sides], Iterator[Flag]]


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of flag. `look` is `None` where other memories have to be known."""

    name: str
    meaning: str
    look: Look | None = None


ROWS = (
    Row(flag.SECRET, "New text looks like it holds a key, a password or a token.", secrets),
    Row(flag.INSTRUCTIONS, "New text speaks to a model that reads it, not to a person.", instructions),
    Row(flag.PLACE, "The memory moved into or out of an agent's private folder.", place),
    Row(flag.CONTRADICTION, "Another memory says the same with another value."),
    Row(flag.NEAR_DUPLICATE, "Another memory says nearly the same."),
    Row(flag.IMPORTANCE, "Its importance rose or fell by 0.3 or more.", importance),
    Row(flag.EXPIRY, "It expires earlier than before by a day or more, or has expired already.", expiry),
    Row(
        flag.FAULT, "Its front matter has a fault that it did not have, or merge markers stand in it.", faults
    ),
)
_ORDER = {row.name: place for place, row in enumerate(ROWS)}


def flags_of(sides: Sides) -> Iterator[Flag]:
    """What the two versions alone tell. A memory that is gone has no flags."""
    if sides.after is not None:
        for row in ROWS:
            if row.look is not None:
                yield from row.look(sides)


def in_order(flags: list[Flag]) -> tuple[Flag, ...]:
    """As the table has them, each by its line."""
    return tuple(
        sorted(flags, key=lambda one: (_ORDER[one.name], one.line or 0, one.other or "", one.message))
    )
