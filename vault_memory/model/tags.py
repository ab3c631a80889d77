"""Reading tags in every spelling that people's files use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from vault_memory.model.yamlread import Items, Node, Text, resolve

_SPACE = re.compile(r"\s+")


def read_tags(node: Node) -> tuple[list[str], list[Node]]:
    """The tags of a value, in order, and the parts of it that can't be tags."""
    node = resolve(node)
    if isinstance(node, Text):
        return ([] if node.empty else tags_in_text(node.value)), []
    if not isinstance(node, Items):
        return [], [node]
    found: list[str] = []
    odd: list[Node] = []
    for item in node.items:
        value = resolve(item)
        if not isinstance(value, Text):
            odd.append(item)
        elif not value.empty:
            found.append(bare_tag(value.value))
    return [tag for tag in found if tag], odd


def tags_in_text(text: str) -> list[str]:
    """Tags written as one text: JSON, parted by commas, or parted by spaces."""
    listed = json_list(text)
    if listed is not None:
        parts: Iterable[str] = listed
    elif "," in text:
        parts = text.split(",")
    else:
        parts = _SPACE.split(text)
    return [tag for tag in map(bare_tag, parts) if tag]


def json_list(text: str) -> list[str] | None:
    """The texts of a JSON list in a text (`["alpha", "beta"]`), `None` where it holds none."""
    if not text.strip().startswith("["):
        return None
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return [str(value) for value in values if isinstance(value, str | int | float)]


def bare_tag(text: str) -> str:
    """A tag without space around it and without the `#` before it."""
    return text.strip().lstrip("#").strip()


def unique(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, in the order of first mention."""
    return tuple(dict.fromkeys(tags))
