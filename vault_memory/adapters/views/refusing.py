"""What stands in place of all that changes a repository, where a vault is only looked at."""

from __future__ import annotations

from typing import NoReturn

from vault_memory.errors import ReadOnlyError


class Refusing:
    """Whatever is asked of it is refused with `ReadOnlyError`. `shown` is what is looked at."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # what Python itself looks for, as when it copies
            raise AttributeError(name)
        raise ReadOnlyError(self._shown)
