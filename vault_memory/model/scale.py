"""Counting tokens by what lines weigh: a text that is put together of known lines need not be counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vault_memory.model.tokens import BLANK_LINE, LINE_END, UNIT, estimate, weigh, weigh_indented

Count = Callable[[str], int]


class Scale(NamedTuple):
    """How a counter weighs.

    `count` of a text is its weight in whole `unit`s, a part of one taken for one, if its last character
    is no blank. Texts that neither begin nor end with a line end weigh together what each weighs, and
    `line_end` where one stands under the other, or `blank_line` where an empty line is between them.
    """

    count: Count
    weigh: Count
    weigh_indented: Count
    """`weigh` of a line that has two blanks before it; without them it neither begins nor ends with one."""
    unit: int
    line_end: int
    blank_line: int

    def tokens(self, weight: int) -> int:
        """What a text of that weight counts."""
        return -(-weight // self.unit)


ESTIMATED = Scale(estimate, weigh, weigh_indented, UNIT, LINE_END, BLANK_LINE)
"""The scale of `tokens.estimate`."""
