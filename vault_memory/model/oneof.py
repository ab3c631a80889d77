"""A word of a fixed set, as a caller gives it."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from vault_memory.errors import UsageError

E = TypeVar("E", bound=StrEnum)


def one_of(words: type[E], text: object, wrong: str) -> E:
    """The member that `text` names, in any case. Raises `UsageError`: what is `wrong`, and what there is."""
    try:
        return words(str(text).strip().lower())
    except ValueError as error:
        available = ", ".join(one.value for one in words)
        raise UsageError(f"{wrong} {text!r:.200}", hint=f"available: {available}") from error
