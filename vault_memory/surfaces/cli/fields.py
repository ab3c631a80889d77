"""Options whose text stands for other values: pairs, lists, moments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from vault_memory.errors import UsageError, ValueFormatError
from vault_memory.model.moments import MOMENT_FORM, read_moment


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


def moment_of(option: str, text: str | None, zone: tzinfo) -> datetime | None:
    """The time that an option names, `None` without it. Raises `ValueFormatError`."""
    if text is None:
        return None
    moment = read_moment(text, zone)
    if moment is None:
        raise ValueFormatError(option, text, MOMENT_FORM)
    return moment
