"""A list of memories: in which order, how many, and what is not in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any

from vault_memory.model.caseless import caseless
from vault_memory.model.memory import Entry
from vault_memory.model.oneof import one_of


class Order(StrEnum):
    """By what a list is sorted; ties go by path."""

    PATH = "path"
    TITLE = "title"
    IMPORTANCE = "importance"
    UPDATED = "updated"
    CREATED = "created"


def parse_order(text: object) -> Order:
    """The order of that name. Raises `UsageError`."""
    return one_of(Order, text, "a list can't be sorted by")


class Listing(list[Entry]):
    """Memories in the order asked for. `total` counts those past the limit too."""

    __slots__ = ("notices", "total")

    def __init__(self, entries: Iterable[Entry], *, total: int, notices: tuple[str, ...] = ()) -> None:
        super().__init__(entries)
        self.total = total
        self.notices = notices
        """What the list leaves out, and what may be mistyped in the filter, in words for a person."""


def in_order(entries: Iterable[Entry], order: Order) -> list[Entry]:
    """Sorted: titles from A on, the most important and the newest first, undated ones last."""
    return sorted(sorted(entries, key=lambda one: one.path), key=_KEYS[order])


def _newest(moment: datetime | None) -> tuple[bool, float]:
    return moment is None, -moment.timestamp() if moment else 0.0


_KEYS: dict[Order, Callable[[Entry], Any]] = {
    Order.PATH: lambda one: one.path,
    Order.TITLE: lambda one: caseless(one.title),
    Order.IMPORTANCE: lambda one: -one.importance,
    Order.UPDATED: lambda one: _newest(one.updated or one.created),
    Order.CREATED: lambda one: _newest(one.created),
}
