"""Which commands a resident carries out for others, and which of them a command line names."""

from __future__ import annotations

from collections.abc import Sequence

READS = frozenset({"recall", "search", "show", "list", "status", "hook"})
WRITES = frozenset({"remember"})
"""All else a caller's own process does."""
_TAKE_A_VALUE = ("--vault", "--agent")


def verb_of(argv: Sequence[str]) -> str | None:
    """The command that a command line names, `None` for none."""
    words = iter(argv)
    for word in words:
        if word in _TAKE_A_VALUE:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None
