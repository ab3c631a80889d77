"""Since when a question no longer finds a memory: what a search through history has found out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.model.branches import Point
    from vault_memory.model.revision import Revision


class Since(StrEnum):
    """How it ended."""

    LOST = "lost"
    """After one commit it was found, after the next one no more."""
    FOUND = "found"
    """It is found as of the last commit."""
    NEVER = "never"
    """It was not found at any commit that was looked at."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One commit that the question was asked of. `place` is the memory's among what came back, from 1, `None`
    where it did not; `exists` is whether the memory was there at all, `expired` whether it had ended."""

    point: Point
    place: int | None
    exists: bool
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Bisected:
    """The outcome, and the commits that were looked at, newest first."""

    query: str
    title: str
    path: str
    """Where the memory lies now, or lay last."""
    since: Since
    looked: tuple[Looked, ...]
    commits: int
    """How many commits lie on the line, the one of HEAD included."""
    last_found: Looked | None = None
    first_lost: Looked | None = None
    """Of a `LOST`: neighbours on the line."""
    by: Revision | None = None
    """The commit that lost it."""
    now: int | None = None
    """The memory's place as of the files and the time of now, `None` where it does not come back."""


Ask = Callable[[int], Looked]
"""The answer as of a commit, by its place on the line (0 is the newest)."""


def bisect(count: int, ask: Ask, hints: Sequence[int]) -> tuple[Since, int | None, list[Looked]]:
    """Search a line of `count` commits for the first one, going back, at which the memory is found.

    `hints` are places at which it may well be found. Given back is how it ended, the place of the newest
    commit found at which it is (with its neighbour it makes the pair), and all that was looked at.
    """
    asked: dict[int, Looked] = {}

    def finds(at: int) -> bool:
        if at not in asked:
            asked[at] = ask(at)
        return asked[at].place is not None

    def told(since: Since, at: int | None) -> tuple[Since, int | None, list[Looked]]:
        return since, at, [asked[one] for one in sorted(asked)]

    if finds(0):
        return told(Since.FOUND, 0)
    good = next((at for at in _places(count, hints) if finds(at)), None)
    if good is None:
        return told(Since.NEVER, None)
    bad = max(at for at, one in asked.items() if at < good and one.place is None)
    while good - bad > 1:
        middle = (bad + good) // 2
        if finds(middle):
            good = middle
        else:
            bad = middle
    return told(Since.LOST, good)


SAMPLES = 16
"""So many places all over the line are looked at before it is given up."""


def _places(count: int, hints: Sequence[int]) -> list[int]:
    """Where to look for a commit that finds it: first ever further back, then at the hints and all over."""
    far: list[int] = []
    step = 1
    while step < count:
        far.append(step)
        step *= 2
    spread = [count * number // SAMPLES for number in range(1, SAMPLES)]
    known = [at for at in hints if 0 < at < count]
    return list(dict.fromkeys([*sorted({*far, *known}), count - 1, *spread])) if count > 1 else []
