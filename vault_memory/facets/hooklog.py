"""The log of hooks: why one had nothing to say that should have had; never a prompt nor a memory."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from vault_memory import beside, compose
from vault_memory.model.halves import without_halves

_LONGEST = 400
"""Characters of a cause."""


def note(root: Path | None, what: str, cause: str) -> None:
    """Add a line with the time (UTC) and the number of the process. What can't be written is left out: it is
    no reason to fail."""
    told = f"{_plain(what)}: {_plain(cause)[:_LONGEST]}"
    at = compose.system_clock().now().strftime("%Y-%m-%d %H:%M:%S")
    with suppress(OSError):
        beside.log_of_hooks(root, f"{at} {os.getpid()} {told}\n".encode())


def _plain(text: str) -> str:
    """On one line, and nothing in it that a terminal heeds: both may be what somebody else has typed."""
    held = " ".join(without_halves(text).split())
    return "".join(letter if letter.isprintable() else "?" for letter in held)
