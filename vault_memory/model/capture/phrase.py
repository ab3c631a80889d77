"""One phrase by which something to keep is known, and what it weighs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from vault_memory.model.capture.turn import Role, Sort

BOTH = frozenset({Role.USER, Role.ASSISTANT})
PERSON = frozenset({Role.USER})
ENOUGH = 1.0
"""A sentence whose rows of one sort weigh so much together is of that sort."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One row. `unless`: words beside which it says nothing."""

    sort: Sort
    pattern: str
    weight: float = 1.0
    said_by: frozenset[Role] = BOTH
    unless: str | None = None

    def weighs(self, text: str, role: Role) -> float:
        """What it weighs in a sentence of that speaker."""
        if role not in self.said_by or not _compiled(self.pattern).search(text):
            return 0.0
        return 0.0 if self.unless and _compiled(self.unless).search(text) else self.weight


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
