"""Fitting recalled memories into a number of tokens, best first, frame included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from vault_memory.model.hit import Dropped, Hit, Item, Reason, Recall
from vault_memory.model.near import Known
from vault_memory.model.placing import Candidate, Count, Placed, place
from vault_memory.model.prompt import Frame

__all__ = ["Candidate", "Fitted", "compose_recall", "fit"]

Load = Callable[[Hit], Candidate]
"""Gives a hit's memory with all its passages."""

SCARCE = 200
"""Tokens: with more of them left, hardly a source line is too long, and `place` sees it anyway."""
IN_VAIN = 4
"""After so many memories on end of which not even the title fits, the text is full."""


class Fitted(NamedTuple):
    """The text of a recall and what became of each hit."""

    text: str
    tokens: int
    items: tuple[Item, ...]
    omitted: tuple[Dropped, ...]


def fit(hits: Sequence[Hit], load: Load, budget: int, frame: Frame, count: Count) -> Fitted:
    """Show as much of the hits, given best first, as `budget` tokens hold; near-identical ones once.

    `load` is asked for a memory only while there is room for it. `count` should be subadditive, as
    `tokens.estimate` is. Each piece is counted once and the text once as a whole; notes are taken
    off its end where it is too much after all.
    """
    left = budget - count(frame.header(len(hits), budget))
    shown: dict[int, Placed] = {}
    instead: dict[int, int] = {}
    known = Known()
    in_vain = 0
    for rank, hit in enumerate(hits):
        if in_vain == IN_VAIN:
            break
        # No source line is shorter than that of the first line: why read what can't be named?
        nameable = left > SCARCE or count(f"\n\n{frame.source(hit.entry, 1)}") <= left
        candidate = load(hit) if nameable else None
        first = None if candidate is None else known.first_like(rank, candidate.body)
        if first is not None:
            instead[rank] = first
            continue
        placed = candidate and place(candidate, left, frame, count, is_best=rank == 0)
        in_vain = 0 if placed else in_vain + 1
        if placed:
            shown[rank] = placed
            left -= placed.item.tokens
    text, tokens = _compose(list(shown.values()), budget - left, frame, count)
    while shown and tokens > budget:
        _, taken_off = shown.popitem()
        left += taken_off.item.tokens
        text, tokens = _compose(list(shown.values()), budget - left, frame, count)
    if not shown:
        text = frame.nothing_fits(len(hits) - len(instead), budget) if hits else frame.nothing()
        tokens = count(text)
        if tokens > budget:
            text, tokens = "", 0
    left_out = [_left_out(hits, rank, None) for rank in range(len(hits)) if rank not in shown | instead]
    doubles = [_left_out(hits, rank, first) for rank, first in instead.items()]
    omitted = (*left_out, *doubles)
    return Fitted(text, tokens, tuple(placed.item for placed in shown.values()), omitted)


def compose_recall(
    frame: Frame,
    hits: Sequence[Hit],
    load: Load,
    *,
    budget: int,
    count: Count,
    mode: str,
    notices: Sequence[str] = (),
    dropped: Sequence[Dropped] = (),
) -> Recall:
    """The recall whose text shows the hits, best first, within `budget` tokens."""
    fitted = fit(hits, load, budget, frame, count)
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


def _left_out(hits: Sequence[Hit], rank: int, first: int | None) -> Dropped:
    hit = hits[rank]
    if first is None:
        return Dropped(hit.entry, hit.score, hit.parts, Reason.BUDGET)
    return Dropped(hit.entry, hit.score, hit.parts, Reason.DUPLICATE, instead_of=hits[first].entry.path)
