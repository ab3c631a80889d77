"""Fitting recalled memories into a number of tokens, best first, frame included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from vault_memory.model.hit import Dropped, Hit, Item, Matched, Parts, Reason, Recall
from vault_memory.model.measure import Measure, measure
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import VaultPath
from vault_memory.model.page import Page
from vault_memory.model.pieces import Texts
from vault_memory.model.prompt import Frame
from vault_memory.model.scale import Count, Scale
from vault_memory.model.sheet import Placed
from vault_memory.model.wanted import wanted

__all__ = ["Fitted", "Found", "compose_recall", "fit"]

WEAK = 0.1
"""A passage that scores less than this share of the best one tells too little to be paid for."""


_dropped: Callable[[tuple[Entry, float, Parts, Reason, None, None]], Dropped] = partial(
    tuple.__new__, Dropped
)
"""`Dropped`, made in a third of the time."""


class Found(NamedTuple):
    """Memories, best first, with those of their passages that fit the query, and where to read them."""

    hits: Sequence[Hit]
    matched: Mapping[VaultPath, Sequence[Matched]]
    texts: Texts


class Fitted(NamedTuple):
    """The text of a recall and what became of each hit."""

    text: str
    tokens: int
    items: tuple[Item, ...]
    omitted: tuple[Dropped, ...]


def fit(
    found: Found, budget: int, frame: Frame, count: Count, *, least: float = 0.0, scale: Scale | None = None
) -> Fitted:
    """Show as much of the passages as `budget` tokens hold, the best first; near-identical ones once.

    Passages that score less than `least`, or far less than the best one, are left out though there
    be room. What is left goes to the neighbours of the best. `count` should be subadditive, as
    `tokens.estimate` is: each piece is counted once and the text as a whole; pieces are taken off
    again where it is too much after all. `scale` is that of `count`, if it has one: the same comes out
    sooner.
    """
    hits, matched, texts = found
    if not hits:
        return _without_items(frame.nothing(), budget, count, ())
    weak = max(WEAK * hits[0].score, least)
    by = measure(count, scale)
    page = Page(hits, texts, frame, count, by, budget - count(frame.header(len(hits), budget)))
    page.fill(wanted(hits, matched, weak), [one.number for one in matched[hits[0].entry.path]])
    page.fill_up()
    page.introduce()
    page.round_out()
    placed = page.placed()
    text, tokens = _compose(placed, budget - page.left, frame, count, by)
    while placed and tokens > budget:
        page.undo()
        placed = page.placed()
        text, tokens = _compose(placed, tokens, frame, count, by)
    if not placed:
        text = frame.nothing_fits(len(hits), budget)
        return _without_items(text, budget, count, _omitted(hits, (), {}, weak))
    omitted = _omitted(hits, page.ranks, page.instead, weak)
    return Fitted(text, tokens, tuple(one.item for one in placed), omitted)


def compose_recall(
    frame: Frame,
    found: Found,
    *,
    budget: int,
    count: Count,
    mode: str,
    scale: Scale | None = None,
    least: float = 0.0,
    notices: Sequence[str] = (),
    dropped: Sequence[Dropped] = (),
) -> Recall:
    """The recall whose text shows the hits, best first, within `budget` tokens."""
    fitted = fit(found, budget, frame, count, least=least, scale=scale)
    hits = found.hits
    notices = tuple(notices)
    if not fitted.text:
        too_little = (
            f"{len(hits):,} found, and nothing of it fits into {budget:,} token{'' if budget == 1 else 's'}"
        )
        notices += (too_little if hits else "nothing found",)
    return Recall(
        frame.query,
        fitted.text,
        fitted.items,
        fitted.tokens,
        budget,
        (*fitted.omitted, *dropped),
        frame.considered,
        mode,
        notices,
        frame.filtered_out,
    )


def _compose(
    placed: Sequence[Placed], tokens: int, frame: Frame, count: Count, by: Measure
) -> tuple[str, int]:
    """The whole text and what it counts; `tokens` is what its pieces count together, at least as much."""
    header = frame.header(len(placed), tokens)
    total = by.whole(header, [one.block for one in placed])
    exact = frame.header(len(placed), total)
    # The smaller number is a shorter one, or as long: the count can be believed without a second one.
    first = exact if exact == header or count(exact) <= count(header) else header
    return first + "".join([f"\n\n{one.block.text}" for one in placed]), total


def _without_items(text: str, budget: int, count: Count, omitted: tuple[Dropped, ...]) -> Fitted:
    tokens = count(text)
    return Fitted(text, tokens, (), omitted) if tokens <= budget else Fitted("", 0, (), omitted)


def _omitted(
    hits: Sequence[Hit], shown: Sequence[int], instead: Mapping[int, int], weak: float
) -> tuple[Dropped, ...]:
    """The hits that are not shown: those without room, those too weak, those that repeat another."""
    without_room: list[Dropped] = []
    too_weak: list[Dropped] = []
    repeating: list[Dropped] = []
    seen = frozenset(shown)
    for rank, hit in enumerate(hits):
        if rank in seen:
            continue
        if instead.get(rank) in seen:
            first = hits[instead[rank]].entry.path
            repeating.append(Dropped(hit.entry, hit.score, hit.parts, Reason.DUPLICATE, None, first))
        elif hit.score < weak:
            too_weak.append(_dropped((hit.entry, hit.score, hit.parts, Reason.WEAK, None, None)))
        else:
            without_room.append(_dropped((hit.entry, hit.score, hit.parts, Reason.BUDGET, None, None)))
    return (*without_room, *too_weak, *repeating)
