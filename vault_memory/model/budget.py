"""Fitting recalled memories into a number of tokens, best first, frame included."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from vault_memory.model.hit import Dropped, Item, Reason, Recall
from vault_memory.model.placing import Candidate, Count, Placed, place
from vault_memory.model.prompt import Frame

__all__ = ["Candidate", "Fitted", "compose_recall", "fit"]


class Fitted(NamedTuple):
    """The text of a recall and what became of each candidate."""

    text: str
    tokens: int
    items: tuple[Item, ...]
    omitted: tuple[Dropped, ...]


def fit(candidates: Sequence[Candidate], budget: int, frame: Frame, count: Count) -> Fitted:
    """Show as much of the candidates, given best first, as `budget` tokens hold.

    `count` should be subadditive, as `tokens.estimate` is. Each piece is counted once and the text
    once as a whole; notes are taken off its end where it is too much after all.
    """
    left = budget - count(frame.header(len(candidates), budget))
    shown: dict[int, Placed] = {}
    for rank, candidate in enumerate(candidates):
        placed = place(candidate, left, frame, count, is_best=rank == 0)
        if placed is not None:
            shown[rank] = placed
            left -= placed.item.tokens
    text, tokens = _compose(list(shown.values()), budget - left, frame, count)
    while shown and tokens > budget:
        _, taken_off = shown.popitem()
        left += taken_off.item.tokens
        text, tokens = _compose(list(shown.values()), budget - left, frame, count)
    if not shown:
        text = frame.nothing_fits(len(candidates), budget) if candidates else frame.nothing()
        tokens = count(text)
        if tokens > budget:
            text, tokens = "", 0
    omitted = tuple(
        Dropped(candidate.hit.entry, candidate.hit.score, candidate.hit.parts, Reason.BUDGET)
        for rank, candidate in enumerate(candidates)
        if rank not in shown
    )
    return Fitted(text, tokens, tuple(placed.item for placed in shown.values()), omitted)


def compose_recall(
    query: str, candidates: Sequence[Candidate], *, budget: int, considered: int, now: datetime, zone: tzinfo,
    count: Count, mode: str, notices: Sequence[str] = (), dropped: Sequence[Dropped] = (),
) -> Recall:  # fmt: skip
    """The recall whose text shows the candidates, best first, within `budget` tokens."""
    fitted = fit(candidates, budget, Frame(query, considered, now, zone), count)
    notices = tuple(notices)
    if candidates and not fitted.items:
        notices += (f"{len(candidates):,} found, and nothing of it fits into {budget:,} tokens",)
    return Recall(
        query,
        fitted.text,
        fitted.items,
        fitted.tokens,
        budget,
        (*fitted.omitted, *dropped),
        considered,
        mode,
        notices,
    )


def _compose(placed: Sequence[Placed], tokens: int, frame: Frame, count: Count) -> tuple[str, int]:
    """The whole text and what it counts; `tokens` is what its pieces count together, at least as much."""
    body = "".join(f"\n\n{one.block}" for one in placed)
    header = frame.header(len(placed), tokens)
    total = count(header + body)
    exact = frame.header(len(placed), total)
    # The smaller number is a shorter one, or as long: the count can be believed without a second one.
    return (exact if count(exact) <= count(header) else header) + body, total
