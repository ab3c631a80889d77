"""Fitting recalled memories into a number of tokens, best first, frame included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from vault_memory.model.hit import Dropped, Hit, Item, Matched, Reason, Recall
from vault_memory.model.namespace import VaultPath
from vault_memory.model.page import Page
from vault_memory.model.pieces import Texts
from vault_memory.model.prompt import Frame
from vault_memory.model.sheet import Count, Placed
from vault_memory.model.wanted import wanted

__all__ = ["Fitted", "Found", "compose_recall", "fit"]

WEAK = 0.1
"""A passage that scores less than this share of the best one tells too little to be paid for."""


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


def fit(found: Found, budget: int, frame: Frame, count: Count, *, least: float = 0.0) -> Fitted:
    """Show as much of the passages as `budget` tokens hold, the best first; near-identical ones once.

    Passages that score less than `least`, or far less than the best one, are left out though there
    be room. What is left goes to the neighbours of the best. `count` should be subadditive, as
    `tokens.estimate` is: each piece is counted once and the text as a whole; pieces are taken off
    again where it is too much after all.
    """
    hits, matched, texts = found
    if not hits:
        return _without_items(frame.nothing(), budget, count, ())
    weak = max(WEAK * hits[0].score, least)
    page = Page(hits, texts, frame, count, budget - count(frame.header(len(hits), budget)))
    page.fill(wanted(hits, matched, weak), [one.number for one in matched[hits[0].entry.path]])
    page.fill_up()
    page.introduce()
    page.round_out()
    placed = page.placed()
    text, tokens = _compose(placed, budget - page.left, frame, count)
    while placed and tokens > budget:
        page.undo()
        placed = page.placed()
        text, tokens = _compose(placed, tokens, frame, count)
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
    least: float = 0.0,
    notices: Sequence[str] = (),
    dropped: Sequence[Dropped] = (),
) -> Recall:
    """The recall whose text shows the hits, best first, within `budget` tokens."""
    fitted = fit(found, budget, frame, count, least=least)
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


def _compose(placed: Sequence[Placed], tokens: int, frame: Frame, count: Count) -> tuple[str, int]:
    """The whole text and what it counts; `tokens` is what its pieces count together, at least as much."""
    body = "".join(f"\n\n{one.block}" for one in placed)
    header = frame.header(len(placed), tokens)
    total = count(header + body)
    exact = frame.header(len(placed), total)
    # The smaller number is a shorter one, or as long: the count can be believed without a second one.
    return (exact if count(exact) <= count(header) else header) + body, total


def _without_items(text: str, budget: int, count: Count, omitted: tuple[Dropped, ...]) -> Fitted:
    tokens = count(text)
    return Fitted(text, tokens, (), omitted) if tokens <= budget else Fitted("", 0, (), omitted)


def _omitted(
    hits: Sequence[Hit], shown: Sequence[int], instead: Mapping[int, int], weak: float
) -> tuple[Dropped, ...]:
    """The hits that are not shown: those without room, those too weak, those that repeat another."""
    omitted: dict[Reason, list[Dropped]] = {Reason.BUDGET: [], Reason.WEAK: [], Reason.DUPLICATE: []}
    for rank in sorted(set(range(len(hits))).difference(shown)):
        hit = hits[rank]
        reason = Reason.WEAK if hit.score < weak else Reason.BUDGET
        first = None
        if instead.get(rank) in shown:
            reason, first = Reason.DUPLICATE, hits[instead[rank]].entry.path
        omitted[reason].append(Dropped(hit.entry, hit.score, hit.parts, reason, instead_of=first))
    return tuple(one for of_a_reason in omitted.values() for one in of_a_reason)
