"""The text of a recall while it fills: which passages stand on it, and how many tokens are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from vault_memory.model.echo import Echoes
from vault_memory.model.excerpt import Unit, joined
from vault_memory.model.hit import Hit
from vault_memory.model.measure import Measure
from vault_memory.model.passage import StoredPassage
from vault_memory.model.pieces import Pieces, Texts
from vault_memory.model.placing import beginning, titled
from vault_memory.model.prompt import Frame
from vault_memory.model.scale import Count
from vault_memory.model.sheet import Placed, Sheet
from vault_memory.model.wanted import Wanted

STRONG = 0.5
"""A memory that scores this share of the best one is worth its context, where tokens are left."""
IN_VAIN, NEIGHBOURS_IN_VAIN = 6, 2
"""After so many passages on end that do not fit, hardly another does."""
LEAST_LEAD, LEAST_TEXT = 24, 60
"""Tokens: a shorter beginning is not worth its frame; of the best memory of all, of another one."""
SCARCE = 12
"""Tokens: with fewer left, hardly a passage fits."""
MOST_LED, MOST_INTRODUCED = 8, 3
"""So many passages of the best memory, and so many other memories, are tried for a beginning that fits."""
_READ_FIRST, _READ_LEAST, _READ_MOST = 16, 4, 48
"""Passages read at a time."""
_TOO_LONG = 6
"""Characters a token: a text that would need as many is not even counted. In English it has 4."""


class Page:
    """Of memories given best first, those passages that are shown.

    `left` is what the budget still holds, by the sum of what the pieces count.
    """

    def __init__(
        self, hits: Sequence[Hit], texts: Texts, frame: Frame, count: Count, measure: Measure, left: int
    ) -> None:
        self.left = left
        self.instead: dict[int, int] = {}
        """By rank: the memory whose shown text a memory repeats."""
        self._hits = hits
        self._pieces = Pieces(texts)
        self._frame = frame
        self._count = count
        self._measure = measure
        self._sheets: dict[int, Sheet] = {}
        self._fixed: dict[int, Placed] = {}
        self._added: list[int] = []
        """The ranks of all that was added, in that order."""
        self._shown: list[Unit] = []
        """Every unit added."""
        self._fits: set[int] = set()
        self._skipped: list[tuple[int, StoredPassage]] = []
        self._echoes = Echoes()

    @property
    def ranks(self) -> list[int]:
        """Of the memories shown."""
        return sorted(set(self._added))

    def placed(self) -> list[Placed]:
        """The memories shown, best first, as they stand."""
        return [self._fixed.get(rank) or self._sheets[rank].placed(self._fits) for rank in self.ranks]

    def fill(self, wanted: Iterator[Wanted], best: Sequence[int]) -> None:
        """Show what fits of the passages, given best first, until hardly any does.

        `best` are those of the best memory: something of it is shown even if its best one is too long.
        """
        in_vain = 0
        while self.left >= SCARCE or (self.left > 0 and not self._added):
            portion = list(islice(wanted, self._to_read()))
            stored = self._pieces.read([one.number for one in portion])
            for rank, number in portion:
                if self._take(rank, stored[number]):
                    in_vain = 0
                    continue
                if number == best[0]:
                    self._lead(best)
                in_vain += 1
                if in_vain == IN_VAIN:
                    return
            if not portion:
                return

    def fill_up(self) -> None:
        """Show what fits of the passages that did not: all pieces together count less than each by itself."""
        if self.left + len(self._added) < self._mean() // 2:
            return
        sheets = [self._sheets[rank] for rank in self.ranks if rank not in self._fixed]
        together = self._measure.together(self._shown, [sheet.frame for sheet in sheets])
        self.left += sum(sheet.tokens for sheet in sheets) - together
        again, self._skipped = self._skipped, []
        for at, (rank, stored) in enumerate(again):
            if self.left < SCARCE:
                self._skipped += again[at:]
                return
            self._take(rank, stored)

    def introduce(self) -> None:
        """Show a beginning of the next best memory, whose passages are too long for what is left."""
        next_best = {rank: stored for rank, stored in reversed(self._skipped) if self._is_strong(rank)}
        for rank in sorted(next_best.keys() - set(self._added))[:MOST_INTRODUCED]:
            if self.left < LEAST_TEXT or self._cut(rank, next_best[rank], LEAST_TEXT):
                return

    def round_out(self) -> None:
        """Spend what is left on what stands around the passages shown, of the best memories first."""
        for rank in self.ranks:
            if self.left < max(SCARCE, self._mean() // 2) or not self._is_strong(rank):
                return
            if rank not in self._fixed and self._sheets[rank].missing:
                self._round_out(rank, self._sheets[rank])

    def undo(self) -> None:
        """Take off what was added last."""
        rank = self._added.pop()
        if rank in self._fixed:
            del self._fixed[rank]
        else:
            self._sheets[rank].undo()

    def _mean(self) -> int:
        """The tokens of a passage here, a share of its memory's source line included."""
        return sum(sheet.tokens for sheet in self._sheets.values()) // max(len(self._added), 1)

    def _to_read(self) -> int:
        if not self._added:
            return _READ_FIRST
        return min(max(self.left // max(self._mean(), 1), _READ_LEAST), _READ_MOST)

    def _take(self, rank: int, stored: StoredPassage) -> bool:
        """Show a passage that fits the query; `False` where there is no room for it."""
        if not self._put(rank, stored):
            self._skipped.append((rank, stored))
            return False
        self._fits.add(stored.number)
        return True

    def _put(self, rank: int, stored: StoredPassage) -> bool:
        """Show a passage, unless it is shown or repeats another; `False` where there is no room for it."""
        if rank in self._fixed:
            return True
        sheet = self._sheets.get(rank)
        if sheet is None:
            sheet = self._sheets[rank] = Sheet(self._hits[rank], self._frame, self._measure)
        unit = self._pieces.unit(sheet.hit.entry.path, stored)
        if sheet.holds(unit):
            return True
        if len(unit.text) > _TOO_LONG * self.left:
            return False
        layout = sheet.look(unit, self._measure.unit(unit))
        tokens = layout.tokens(self._measure)
        cost = tokens - sheet.tokens
        if cost > self.left:
            return False
        if not self._repeats(rank, unit):
            self.left -= cost
            sheet.add(unit, layout, tokens)
            self._added.append(rank)
            self._shown.append(unit)
        return True

    def _lead(self, numbers: Sequence[int]) -> None:
        """Show of the best memory what can be: a beginning, another of the passages, its title."""
        first = numbers[:MOST_LED]
        stored = self._pieces.read(first)
        for number in first:
            if self._cut(0, stored[number], LEAST_LEAD) or self._take(0, stored[number]):
                return
        hit = self._hits[0]
        passages = self._pieces.whole(hit.entry.path)
        line = passages[0].passage.start_line
        self._fix(0, titled(hit, line, joined(passages), self.left, self._frame, self._count))

    def _cut(self, rank: int, stored: StoredPassage, least: int) -> bool:
        """Show a beginning of a passage; `False` where there is no room for it."""
        hit = self._hits[rank]
        unit = self._pieces.unit(hit.entry.path, stored)
        placed = beginning(hit, unit, self.left, self._frame, self._count, least)
        return placed is not None and (self._repeats(rank, unit) or self._fix(rank, placed))

    def _fix(self, rank: int, placed: Placed | None) -> bool:
        """Show of a memory this and nothing else."""
        if placed is None:
            return False
        self._fixed[rank] = placed
        self._added.append(rank)
        self.left -= placed.item.tokens
        return True

    def _round_out(self, rank: int, sheet: Sheet) -> None:
        most = self.left // SCARCE + 1
        numbers = list(islice(sheet.around(), most))
        stored = self._pieces.read(numbers)
        in_vain = 0
        for number in numbers:
            in_vain = 0 if self._put(rank, stored[number]) else in_vain + 1
            if in_vain == NEIGHBOURS_IN_VAIN:
                return

    def _is_strong(self, rank: int) -> bool:
        return self._hits[rank].score >= STRONG * self._hits[0].score

    def _repeats(self, rank: int, unit: Unit) -> bool:
        first = self._echoes.of(unit.text, rank)
        if first is not None:
            self.instead.setdefault(rank, first)
        return first is not None
