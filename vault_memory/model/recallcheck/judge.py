"""Holding an answer against what a check says of it."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.hit import Item, Recall, Shown
from vault_memory.model.normalform import normalized
from vault_memory.model.recallcheck.check import RecallCheck, Wanted
from vault_memory.model.recallcheck.verdict import Broken, Why


def said(text: str) -> str:
    """A text as checks compare it: whatever its case, and wherever its lines break."""
    return " ".join(normalized("NFC", text).casefold().split())


def place_of(recall: Recall, path: str) -> int | None:
    """The place of a memory among those shown, from 1; `None` where it is not."""
    return next((at for at, item in enumerate(recall.items, 1) if item.hit.entry.path == path), None)


def places_of_text(recall: Recall, text: str) -> list[int]:
    """The places of the memories in whose title or shown text it stands, from 1."""
    wanted = said(text)
    return [at for at, item in enumerate(recall.items, 1) if wanted in said(_shown(item))]


def broken_shown(
    check: RecallCheck, wanted: Wanted, recall: Recall, places: Sequence[int], *, must: bool
) -> Broken | None:
    """What is wrong with a memory or text that is shown at these places (one or more), if anything."""
    first = recall.items[places[0] - 1]

    def broken(why: Why, detail: str = "") -> Broken:
        return Broken(wanted, must, why, first.hit.entry.path, places[0], first.hit.score, detail)

    if not must:
        return broken(Why.CAME_BACK)
    if not wanted.is_text and first.shown is Shown.TITLE:
        return broken(Why.TITLE)
    if check.first is not None and places[0] > check.first:
        return broken(Why.LATE, "the first" if check.first == 1 else f"among the first {check.first}")
    return None


def _shown(item: Item) -> str:
    return f"{item.hit.entry.title}\n{item.text}"
