"""The passages that fit a query in the order in which they are worth showing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush, heapreplace
from typing import NamedTuple

from vault_memory.model.hit import Hit, Matched
from vault_memory.model.namespace import VaultPath


class Wanted(NamedTuple):
    """A passage that fits the query: the rank of its memory, and its number."""

    rank: int
    number: int


def wanted(
    hits: Sequence[Hit], matched: Mapping[VaultPath, Sequence[Matched]], least: float
) -> Iterator[Wanted]:
    """The passages that score at least `least`, the best first, whichever of the hits they are of.

    The hits come best first, and so do the passages of each: only as many are looked at as are asked for.
    """
    waiting: list[tuple[float, int, int]] = []
    lists = [matched[hit.entry.path] for hit in hits]
    # A memory waits with its next passage from when its first one may be the best of those that wait.
    following = 0
    while True:
        while following < len(lists) and (not waiting or -lists[following][0].score <= waiting[0][0]):
            heappush(waiting, (-lists[following][0].score, following, 0))
            following += 1
        if not waiting or -waiting[0][0] < least:
            return
        _, rank, at = waiting[0]
        if at + 1 < len(lists[rank]):
            heapreplace(waiting, (-lists[rank][at + 1].score, rank, at + 1))
        else:
            heappop(waiting)
        yield Wanted(rank, lists[rank][at].number)
