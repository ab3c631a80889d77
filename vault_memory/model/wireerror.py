"""An error as JSON, and back: a caller in another process gets the same error as one in this."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vault_memory import errors
from vault_memory.errors import (
    AmbiguousRefError,
    ConflictError,
    ExpressionError,
    FileFormatError,
    RefusedError,
    VmemError,
)
from vault_memory.model.wire import Json, candidates

_FACTS: dict[type[VmemError], Callable[[Any], Json]] = {
    AmbiguousRefError: lambda error: {"candidates": _candidates(error)},
    ExpressionError: lambda error: {"expression": error.text, "position": error.at},
    FileFormatError: lambda error: {"path": error.path, "line": error.line},
    ConflictError: lambda error: {"path": error.path, "expected": error.expected, "found": error.found},
    RefusedError: lambda error: {"rule": error.rule, "field": error.field, "line": error.line},
}
"""What an error of each kind says besides message and hint."""

_NAMES = {"expression": "text", "position": "at"}
"""Facts that are attributes of another name."""
_COMMON = ("kind", "message", "hint", "exit_code")


def error(one: VmemError) -> Json:
    """Its kind, message, next step and exit code, and the facts of its kind."""
    value: Json = {
        "kind": type(one).__name__,
        "message": one.message,
        "hint": one.hint,
        "exit_code": one.exit_code,
    }
    for kind, facts in _FACTS.items():
        if isinstance(one, kind):
            value |= facts(one)
    return value


def _candidates(one: AmbiguousRefError) -> list[Json]:
    return [{**each, "id": each["id"] or None} for each in candidates(one.candidates)]


def raised(value: Mapping[str, object]) -> VmemError:
    """The error that a value of `error` stands for; of a kind that is not known here, a `VmemError`."""
    kind = getattr(errors, str(value.get("kind")), None)
    if not (isinstance(kind, type) and issubclass(kind, VmemError)):
        kind = VmemError
    found = kind.__new__(kind)
    hint = value.get("hint")
    VmemError.__init__(found, str(value.get("message")), hint=None if hint is None else str(hint))
    for name in set(value).difference(_COMMON):
        setattr(found, _NAMES.get(name, name), _fact(name, value[name]))
    return found


def _fact(name: str, value: object) -> object:
    if name == "candidates" and isinstance(value, list):
        return tuple((one["id"] or "", one["title"], one["path"]) for one in value)
    return value
