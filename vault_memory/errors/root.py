"""What every error is: one sentence for a person, the next step, an exit code."""

from __future__ import annotations

from typing import ClassVar

MOST = 200
"""Characters of what a caller typed that a message repeats."""


def shown(text: str) -> str:
    """What a caller typed, in quotes, without what would steer a terminal, and not longer than a message."""
    return repr(text if len(text) <= MOST else text[: MOST - 1] + "…")


class VmemError(Exception):
    """The root. `str(error)` is one sentence for a person; `hint` is what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.item: int | None = None
        """Which of several things given together it is about, counted from 1."""

    def about(self, what: str, item: int) -> None:
        """Say which of several things it is about; `what` (`"line 7"`) stands before the message."""
        self.message = f"{what}: {self.message}"
        self.args = (self.message,)
        self.item = item


class CheckFailedError(VmemError):
    """A check ran well and found something (lint, `gc --check`, doctor)."""

    def __init__(self, what: str, count: int, *, hint: str | None = None) -> None:
        super().__init__(f"{what}: {count} problem{'' if count == 1 else 's'} found", hint=hint)
        self.count = count
