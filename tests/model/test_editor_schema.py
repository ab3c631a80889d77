"""The schema for editors knows every key, and refuses nothing that vmem reads from a file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC
from typing import Any

import pytest

from vault_memory.model import codes
from vault_memory.model.editors import obsidian, vscode
from vault_memory.model.editors.schema import TYPES, frontmatter_schema
from vault_memory.model.fields import FIELDS
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.kinds import KINDS
from vault_memory.model.namespace import VaultPath
from vault_memory.model.signed import is_unchanged

KINDS_OF_TYPE: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "number": (int, float), "integer": (int,), "boolean": (bool,), "array": (list,),
    "object": (dict,), "null": (type(None),),
}  # fmt: skip
SCHEMA = frontmatter_schema()


def fits(schema: Mapping[str, Any], value: object) -> bool:
    """Whether a value fits, by as much of JSON schema as is used there."""
    if "anyOf" in schema and not any(fits(one, value) for one in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    types = schema.get("type", ())
    types = [types] if isinstance(types, str) else types
    if types and not any(type(value) in KINDS_OF_TYPE[one] for one in types):
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, str):
        return len(value) <= schema.get("maxLength", len(value)) and bool(
            re.search(schema.get("pattern", ""), value)
        )
    return not isinstance(value, list) or all(fits(schema.get("items", {}), one) for one in value)


def test_every_key_is_there_with_its_words() -> None:
    assert set(TYPES) == set(FIELDS)
    for row in FIELDS.values():
        told = SCHEMA["properties"][row.name]["description"]
        assert row.form in told
        assert row.default in told


READ = [
    ("importance", "0.5", 0.5), ("importance", "0", 0), ("importance", '"0.9"', "0.9"),
    ("importance", ".5", 0.5), ("pinned", "true", True), ("pinned", "YES", "YES"), ("pinned", "off", "off"),
    ("pinned", "1", 1), ("tags", "[a, b]", ["a", "b"]), ("tags", "a, b", "a, b"), ("tags", "2026", 2026),
    ("tags", "[2026, true]", [2026, True]), ("ttl", "90d", "90d"), ("ttl", "90", 90), ("ttl", "P30D", "P30D"),
    ("ttl", "never", "never"), ("expires", "2026-12-31", "2026-12-31"), ("expires", "never", "never"),
    ("created", "2026-03-14T10:15:00Z", "2026-03-14T10:15:00Z"), ("created", "1773483300", 1773483300),
    ("kind", "decision", "decision"), ("kind", "recipe", "recipe"), ("title", "1.10", 1.1),
    ("aliases", "[One, 2]", ["One", 2]), ("links", '["[[a]]"]', ["[[a]]"]), ("links", "[[a]]", [["a"]]),
    ("supersedes", "plan", "plan"), ("notify", "[mira]", ["mira"]), ("id", '"01K8"', "01K8"),
    ("source_agent", "akashi", "akashi"), ("ttl", "", None), ("tags", "", None),
]  # fmt: skip
"""Key, as written, and as YAML of editors reads it."""


@pytest.mark.parametrize(("key", "written", "read"), READ)
def test_what_vmem_reads_fits(key: str, written: str, read: object) -> None:
    text = (
        f"---\ncreated: 2026-01-01\n{key}: {written}\n---\n"
        if key != "created"
        else f"---\n{key}: {written}\n---\n"
    )
    memory = parse_memory(VaultPath("a.md"), text.encode(), zone=UTC)
    assert memory.findings == ()
    assert fits(SCHEMA["properties"][key], read)


@pytest.mark.parametrize(
    ("key", "written", "read", "code"),
    [
        ("importance", "2", 2, codes.BAD_IMPORTANCE),
        ("importance", "high", "high", codes.BAD_IMPORTANCE),
        ("importance", "-0.1", -0.1, codes.BAD_IMPORTANCE),
        ("pinned", "maybe", "maybe", codes.BAD_FLAG),
        ("tags", "{a: b}", {"a": "b"}, codes.BAD_TAGS),
        ("ttl", "-3", -3, codes.BAD_TTL),
        ("created", "[1]", [1], codes.BAD_DATE),
        ("title", "[a]", ["a"], codes.NOT_TEXT),
    ],
)
def test_what_lint_names_does_not_fit(key: str, written: str, read: object, code: str) -> None:
    memory = parse_memory(VaultPath("a.md"), f"---\n{key}: {written}\n---\n".encode(), zone=UTC)
    assert [one.code for one in memory.findings] == [code]
    assert not fits(SCHEMA["properties"][key], read)


def test_the_files_are_json_and_known_again() -> None:
    schema = vscode.schema()
    assert {key: value for key, value in json.loads(schema).items() if key != "$comment"} == SCHEMA
    head, _, body = vscode.snippets().decode().partition("\n")
    assert head.startswith("// ")
    snippets = json.loads(body)
    assert {one["prefix"] for one in snippets.values()} == {"memory", *FIELDS}
    assert all(kind in snippets["Front matter: kind"]["body"] for kind in KINDS)
    assert is_unchanged(schema, vscode.MAKER)
    assert is_unchanged(vscode.snippets(), vscode.MAKER)
    assert not is_unchanged(schema + b"\n", vscode.MAKER)


@pytest.mark.parametrize("name", FIELDS)
def test_a_snippet_writes_what_fits(name: str) -> None:
    body = json.loads(vscode.snippets().decode().partition("\n")[2])[f"Front matter: {name}"]["body"]
    written = re.sub(r"\$\{[0-9]+\|([^,|]*)[^}]*\}", r"\1", body)
    written = re.sub(r"\$\{CURRENT_TIMEZONE_OFFSET\}", "+01:00", written)
    written = re.sub(r"\$\{CURRENT_YEAR\}", "2026", written)
    written = re.sub(r"\$\{CURRENT_[A-Z]+\}", "10", written)
    written = re.sub(r"\$\{[0-9]+:\$?([^}]*)\}", r"\1", written).replace("$1", "akashi")
    created = "" if name == "created" else "created: 2026-01-01\n"
    memory = parse_memory(VaultPath("a.md"), f"---\n{created}{written}\n---\n".encode(), zone=UTC)
    assert memory.findings == ()
    assert name in memory.front


def test_obsidian_gets_a_type_for_every_key_but_those_that_have_one() -> None:
    assert set(obsidian.PROPERTIES) == set(FIELDS) - {"tags", "aliases"}
    assert set(obsidian.PROPERTIES.values()) <= {"text", "number", "checkbox", "multitext"}
