"""The `Journal` port of a vault that is only looked at: nothing waits, and nothing begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.errors import ReadOnlyError

if TYPE_CHECKING:
    from vault_memory.model.revision import Intent


@dataclass(frozen=True, slots=True)
class NothingWaits:
    """Every write begins with an intent, and here none can be noted. `shown` is what is looked at."""

    shown: str

    def open(self, *_: object, **__: object) -> tuple[Intent, ...]:
        """Refused with `ReadOnlyError`."""
        raise ReadOnlyError(self.shown)

    def pending(self) -> tuple[Intent, ...]:
        """None."""
        return ()

    def close(self, _: object) -> None:
        """There is none to close."""

    def keep(self, _: object) -> None:
        """There is none to keep anything with."""

    def tell(self, _: object) -> None:
        """There is none to tell of."""

    def kept(self, _: int) -> bytes | None:
        """Nothing."""
        return None
