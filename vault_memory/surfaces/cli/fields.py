"""Options that stand for several values."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.errors import UsageError


def pairs(given: Sequence[str] | None) -> dict[str, object]:
    """`key=value` options as a mapping; a usage error for one without `=`."""
    found: dict[str, object] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set takes key=value, not {text!r}", hint="e.g. --set status=open")
        found[key.strip()] = value
    return found


def split_tags(given: Sequence[str] | None) -> list[str] | None:
    """Repeated and comma-parted tags as one list, `None` where none are given."""
    if not given:
        return None
    return [tag.strip() for text in given for tag in text.split(",") if tag.strip()]
