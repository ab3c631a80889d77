"""Reading fields of a data set: what is not there, or not of its form, is told with its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from vault_memory.errors import FormatError

T = TypeVar("T", str, list[Any], dict[str, Any], int, bool)

_KINDS: Mapping[type, str] = {
    str: "a text",
    list: "a list",
    dict: "a map",
    int: "a whole number",
    bool: "true or false",
}


def required(found: object, key: str, kind: type[T], place: str) -> T:
    """`found[key]`, of that kind. Raises `FormatError`."""
    within = of_kind(found, dict, place)
    if key not in within:
        malformed(place, f"there is no {key!r}")
    return of_kind(within[key], kind, f"{place}: {key}")


def of_kind(value: object, kind: type[T], place: str) -> T:
    """The value, which must be of that kind. Raises `FormatError`."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        malformed(place, f"must be {_KINDS[kind]}")
    return value


def malformed(place: str, reason: str) -> NoReturn:
    """Raise `FormatError` for what stands at that place of the file."""
    raise FormatError(f"{place}: {reason}", hint="docs/retrieval.md shows what each form of file holds")
