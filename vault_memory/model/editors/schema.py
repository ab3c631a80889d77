"""The front matter keys as a JSON schema, by which editors complete and check them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vault_memory.model.fields import FIELDS, MAX_TITLE
from vault_memory.model.kinds import KINDS

DRAFT = "http://json-schema.org/draft-07/schema#"
"""What the YAML language server of editors reads."""
_READ_TOO = {"tags": "tag", "aliases": "alias"}
_FLAGS = ("true", "false", "yes", "no", "on", "off", "y", "n", "1", "0")
_LIST: dict[str, Any] = {"type": ["array", "string", "number", "null"]}
_MOMENT: dict[str, Any] = {
    "type": ["string", "integer", "null"],
    "examples": ["2026-03-14T10:15:00Z", "2026-03-14"],
}

TYPES: dict[str, dict[str, Any]] = {
    "id": {"type": ["string", "number"]},
    "title": {"type": ["string", "number", "boolean", "null"], "maxLength": MAX_TITLE},
    "importance": {"type": ["number", "string", "null"], "minimum": 0, "maximum": 1, "default": 0.5},
    "tags": {**_LIST, "items": {"type": ["string", "number", "boolean", "null"]}},
    "ttl": {
        "type": ["string", "integer", "null"],
        "minimum": 1,
        "examples": ["90d", "2w", "12h", "6mo", "never"],
    },
    "expires": {**_MOMENT, "examples": ["2026-12-31", "2026-12-31T18:00:00Z", "never"]},
    "source_agent": {"type": ["string", "number", "null"]},
    "kind": {"anyOf": [{"enum": list(KINDS)}, {"type": ["string", "null"]}]},
    "pinned": {"type": ["boolean", "string", "integer", "null"], "minimum": 0, "maximum": 1},
    "created": _MOMENT,
    "updated": _MOMENT,
    "aliases": {**_LIST, "items": {"type": ["string", "number", "boolean", "null"]}},
    "links": _LIST,
    "supersedes": _LIST,
    "notify": {**_LIST, "items": {"type": ["string", "number", "null"]}},
}
"""What each key takes, as JSON types; never stricter than what is read from a file."""


def frontmatter_schema() -> dict[str, Any]:
    """The schema: every known key with its words from the table of keys; other keys are welcome."""
    return {
        "$schema": DRAFT,
        "title": "Front matter of a memory",
        "type": "object",
        "properties": dict(_properties()),
        "additionalProperties": True,
    }


def _properties() -> Iterable[tuple[str, dict[str, Any]]]:
    for row in FIELDS.values():
        words = f"{_capital(row.doc)}. Takes {row.form}. Without it: {row.default}."
        taken = dict(TYPES[row.name])
        if row.name == "pinned":
            taken["pattern"] = f"^\\s*(?:{'|'.join(map(_in_any_case, _FLAGS))})?\\s*$"
        if row.name == "importance":
            taken["pattern"] = "^\\s*[-+]?(?:0*(?:\\.[0-9]*)?|0*1(?:\\.0*)?)\\s*$"
        yield row.name, {"description": words, **taken}
        if row.name in _READ_TOO:
            yield _READ_TOO[row.name], {"description": f"Read as {row.name}.", **taken}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_any_case(word: str) -> str:
    """A pattern of JSON schemas has no flags."""
    return "".join(f"[{char}{char.upper()}]" if char.isalpha() else char for char in word)
