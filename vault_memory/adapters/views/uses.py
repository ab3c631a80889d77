"""The `Uses` port of a vault that is only looked at: what is shown of another state was not recalled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vault_memory.model.uses import Use


class NothingUsed:
    """Nothing is noted, and nothing was."""

    def note(self, _: Use) -> None:
        """Nothing is noted."""

    def given(self, _: str | None, __: str) -> Mapping[str, str]:
        """Nothing."""
        return {}

    def since(self, _: object) -> tuple[Use, ...]:
        """None."""
        return ()

    def forget(self, _: object = None) -> None:
        """There is nothing to forget."""
