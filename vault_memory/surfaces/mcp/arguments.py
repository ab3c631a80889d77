"""What a model gives as arguments, read as it was meant: names checked, forms mended where they are plain."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any

from vault_memory.errors import UsageError

Schema = Mapping[str, Any]


def arguments(tool: str, schema: Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the names and types of a tool's schema; `null` is as good as not given.

    A list or an object may come as its JSON text, a number or a flag as a text. Raises `UsageError`.
    """
    properties: Mapping[str, Schema] = schema["properties"]
    for name in given:
        if name not in properties:
            raise _unknown(tool, name, list(properties))
    found = {name: _read(name, properties[name], value) for name, value in given.items() if value is not None}
    for name in schema.get("required", ()):
        if name not in found:
            raise UsageError(f"{tool} needs {name}", hint=f"{name}: {properties[name]['description']}")
    return found


def _unknown(tool: str, name: str, names: list[str]) -> UsageError:
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"it takes {', '.join(names)}"
    return UsageError(f"{tool} has no argument {name!r:.100}", hint=hint)


def _read(name: str, schema: Schema, value: object) -> object:
    expected: str = schema["type"]
    fits, mended, form = _TYPES[expected]
    read = value if fits(value) else mended(value)
    if not fits(read):
        raise UsageError(f"{name} can't be {value!r:.100}", hint=f"{name} takes {form}")
    allowed = schema.get("enum")
    if allowed is not None and read not in allowed:
        raise UsageError(f"{name} can't be {value!r:.100}", hint=f"{name} is one of {', '.join(allowed)}")
    return read


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _from_json(value: object) -> object:
    """The value of a text that is JSON; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _whole(value: object) -> object:
    read = _from_json(value)
    return int(read) if isinstance(read, float) and read.is_integer() else read


def _texts(value: object) -> object:
    read = _from_json(value)
    if isinstance(read, str):
        return [one.strip() for one in read.split(",") if one.strip()]
    return [value] if isinstance(value, str) and not isinstance(read, list) else read


def _text(value: object) -> object:
    """A number as the text that it would be in a file; ids and tags may look like one."""
    return repr(value) if _is_number(value) else value


_TYPES: dict[str, tuple[Callable[[object], bool], Callable[[object], object], str]] = {
    "string": (lambda value: isinstance(value, str), _text, "a text"),
    "integer": (_is_whole, _whole, "a whole number"),
    "number": (_is_number, _from_json, "a number"),
    "boolean": (lambda value: isinstance(value, bool), _from_json, "true or false"),
    "array": (_is_texts, _texts, "a list of texts"),
    "object": (lambda value: isinstance(value, dict), _from_json, "an object"),
}
"""For each type of a schema: whether a value has it, how it is mended, and what to call it."""
