"""From what a caller gives, in whatever type, to a checked draft or a checked change."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vault_memory.errors import UsageError, ValueFormatError
from vault_memory.model import fields as known
from vault_memory.model.exported import with_own_keys
from vault_memory.model.memory import Draft
from vault_memory.model.yamlwrite import FieldValue

RESERVED = frozenset({"id", "created", "source_agent"})
"""Keys that say where a memory comes from: vmem writes them, and no edit changes them."""

OWN_OPTIONS = frozenset({"title", "importance", "tags", "ttl", "expires", "kind", "pinned", "links"})


@dataclass(frozen=True, slots=True)
class Edit:
    """What to change. `fields` maps a front matter key to its new value, `None` to take it out."""

    fields: Mapping[str, FieldValue | None] = field(default_factory=dict)
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    text: str | None = None

    def __bool__(self) -> bool:
        return bool(self.fields or self.add_tags or self.remove_tags or self.text is not None)


def draft_from(text: object, given: Mapping[str, object]) -> Draft:
    """Check a new memory's text and fields; front matter that the text begins with is taken as such.

    Raises `ValueFormatError`, `UsageError`.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _DRAFT:
            raise _unknown(name, list(_DRAFT))
        if value is not None:
            values[name] = _DRAFT[name](value)
    return with_own_keys(Draft(_body(text), **values))


def edit_from(
    text: str | None, given: Iterable[tuple[str, object]], add_tags: object, remove_tags: object
) -> Edit:
    """Check a change: fields by their row of the table, any other key as text.

    Raises `ValueFormatError`, `UsageError`; the latter too for a text without a word, which would lose
    the memory without saying so.
    """
    if isinstance(text, str) and not text.strip():
        raise UsageError(
            "the new text is empty", hint="vmem forget REF removes a memory; an editor may empty its text"
        )
    fields: dict[str, FieldValue | None] = {}
    seen: set[str] = set()
    for name, value in given:
        key = known.parse_key(name)
        if key.casefold() in RESERVED:
            raise UsageError(f"{key} says where the memory comes from and stays as it is")
        if key.casefold() in seen:
            raise UsageError(f"{key} is given twice", hint="give each key one value")
        seen.add(key.casefold())
        fields[key] = None if value is None else known.parse_value(key, _as_text(name, value))
    return Edit(fields, _tags(add_tags), _tags(remove_tags), _body(text) if text is not None else None)


def _body(text: object) -> str:
    if not isinstance(text, str):
        raise ValueFormatError("the text", repr(text), known.BODY_FORM)
    return known.parse_body(text)


def _tags(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return known.parse_tags(value)
    return tuple(dict.fromkeys(known.parse_tag(_as_text("tags", tag)) for tag in _items("tags", value)))


def _links(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (known.parse_text("links", value),)
    return tuple(known.parse_text("links", _as_text("links", link)) for link in _items("links", value))


def _extra(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise ValueFormatError("extra", repr(value), "a mapping of keys to texts")
    found: dict[str, str] = {}
    for name, text in value.items():
        key = known.parse_key(str(name))
        if key.casefold() in OWN_OPTIONS:
            raise UsageError(
                f"{key} has an option of its own", hint=f"vmem remember --help; in Python: {key}=…"
            )
        if key.casefold() in RESERVED:
            raise UsageError(f"{key} says where the memory comes from; vmem writes it")
        found[key] = known.parse_text(key, _as_text(key, text))
    return found


def _flag(value: object) -> bool:
    return value if isinstance(value, bool) else known.parse_flag(_as_text("pinned", value))


def _namespace(value: object) -> str:
    return _as_text("namespace", value)


_DRAFT: dict[str, Callable[[object], object]] = {
    "title": lambda value: (
        known.parse_title(_as_text("title", value)) if _as_text("title", value).strip() else None
    ),
    "importance": lambda value: known.parse_importance(_as_text("importance", value)),
    "tags": _tags,
    "ttl": lambda value: known.parse_ttl(_as_text("ttl", value)),
    "expires": lambda value: known.parse_expires(_as_text("expires", value)),
    "kind": lambda value: known.parse_kind(_as_text("kind", value)),
    "pinned": _flag,
    "namespace": _namespace,
    "links": _links,
    "extra": _extra,
}


def _items(name: str, value: object) -> Iterable[object]:
    if not isinstance(value, Iterable) or isinstance(value, Mapping | bytes | bytearray):
        raise ValueFormatError(name, repr(value), "a list of texts")
    return value


def _as_text(name: str, value: object) -> str:
    """Text as it is, numbers and flags as YAML writes them; lists joined by commas."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return ",".join(_as_text(name, item) for item in value)
    raise ValueFormatError(name, repr(value), "text, a number or a list of texts")


def _unknown(name: str, names: list[str]) -> UsageError:
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"fields: {', '.join(names)}; others go into extra"
    return UsageError(f"a memory has no field {name!r}", hint=hint)
