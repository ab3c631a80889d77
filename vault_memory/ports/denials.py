"""Where it is kept what agents were refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.denied import Denied


class Denials(Protocol):
    """The refusals of one vault on this machine: the newest, as far as there is room for them."""

    def note(self, one: Denied) -> None:
        """Keep it. Never raises for a disk that says no: a refusal is one whether or not it is kept."""

    def kept(self) -> Sequence[Denied]:
        """Those that are kept, the oldest first."""
