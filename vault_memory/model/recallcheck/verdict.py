"""What became of recall checks: which hold, and of those that do not, what broke and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vault_memory.model.hit import Item, Reason, Recall
from vault_memory.model.recallcheck.check import RecallCheck, Wanted


class Why(StrEnum):
    """Why a line of a check is broken, beside the reasons for which a recall leaves a memory out."""

    CAME_BACK = "came back"
    ABSENT = "not in the vault"
    AMBIGUOUS = "fits several memories"
    NOWHERE = "stands in no memory"
    HIDDEN = "may not be read"
    FILTERED = "kept out by the filter"
    UNMATCHED = "does not match the question"
    LATE = "not among the first"
    TITLE = "only its title is shown"
    CUT = "not in the part that is shown"


DISPLACED = frozenset({Reason.BUDGET, Reason.LIMIT, Why.LATE, Why.TITLE, Why.CUT})
"""The reasons for which others stand in a memory's place."""


@dataclass(frozen=True, slots=True)
class Broken:
    """One line of a check that does not hold.

    `path` is the memory meant, or the one that holds the text; `place` counts from 1 among the memories
    shown, or among all that match where it is not shown.
    """

    wanted: Wanted
    must: bool
    why: Why | Reason
    path: str | None = None
    place: int | None = None
    score: float | None = None
    detail: str = ""
    """The fact that belongs to the reason: the commit of a removal, the candidates, the twin …"""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check with the answer that was given, and what in it is broken."""

    check: RecallCheck
    agent: str | None
    """Who asked; `None` is the person."""
    recall: Recall
    broken: tuple[Broken, ...]

    @property
    def holds(self) -> bool:
        """Whether all that it says is so."""
        return not self.broken

    def in_place_of(self, one: Broken) -> tuple[Item, ...]:
        """The memories shown where that one was to stand; none where nothing displaced it."""
        if one.why not in DISPLACED:
            return ()
        items = tuple(item for item in self.recall.items if item.hit.entry.path != one.path)
        return items[: one.place - 1] if one.why is Why.LATE and one.place else items


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Every check that was asked, in the order of the file."""

    results: tuple[CheckResult, ...]
    prefix: str = ""
    """The vault's place in the repository (`notes/`), for those who name files from its root."""
    notices: tuple[str, ...] = ()
    left_out: int = 0
    """How many checks the agent who runs them is not told of."""

    @property
    def broken(self) -> tuple[CheckResult, ...]:
        """The checks that do not hold."""
        return tuple(one for one in self.results if not one.holds)


@dataclass(frozen=True, slots=True)
class CheckAdded:
    """A check made of the present answer, with its lines as they were written (but for their depth)."""

    check: RecallCheck
    text: str
    recall: Recall
