"""What looks at a text before it goes in or out: for secrets, and for its size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.scale import Scale


class Scanner(Protocol):
    """Looks for what must not enter a memory."""

    def scan(self, text: str, *, known: str = "") -> list[tuple[str, int]]:
        """(rule, line) of each find, but of those that stand in `known` too; the text itself is
        never returned."""

    def mask(self, text: str) -> str:
        """The text with each find replaced, fit for a message."""


class TokenCounter(Protocol):
    """How many tokens a model would count, never too few."""

    @property
    def name(self) -> str:
        """What the index is told of what it weighs with: another name, and all is weighed anew."""

    @property
    def scale(self) -> Scale | None:
        """How lines weigh, where `count` adds up by lines; `None` where it does not."""

    def count(self, text: str) -> int:
        """An upper estimate."""
