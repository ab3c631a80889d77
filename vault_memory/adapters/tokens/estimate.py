"""The `TokenCounter` that needs no vocabulary: the estimate of `model/tokens.py`."""

from __future__ import annotations

from vault_memory.model.scale import ESTIMATED, Scale
from vault_memory.model.tokens import NAME, estimate


class EstimatedTokens:
    """Counts by the classes of characters; rather too many than too few."""

    name: str = NAME
    scale: Scale | None = ESTIMATED

    def count(self, text: str) -> int:
        """An upper estimate for ordinary text; 0 for the empty text alone."""
        return estimate(text)
