"""Options that stand for several values."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.errors import UsageError


def pairs(given: Sequence[str] | None, without: Sequence[str] | None = None) -> dict[str, object]:
    """`key=value` options as a mapping, and the keys to be taken out with `None`; a usage error for
    one without `=`, and for a key that is named twice."""
    found: dict[str, object] = {}
    named: list[tuple[str, object]] = []
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set takes key=value, not {text!r}", hint="e.g. --set status=open")
        named.append((key.strip(), value))
    named += [(key.strip(), None) for key in without or ()]
    for key, given_value in named:
        if key in found:
            raise UsageError(f"{key} is given twice", hint="give each key one value")
        found[key] = given_value
    return found


def split_tags(given: Sequence[str] | None) -> list[str] | None:
    """Repeated and comma-parted tags as one list, `None` where none are given."""
    if not given:
        return None
    return [tag.strip() for text in given for tag in text.split(",") if tag.strip()]
