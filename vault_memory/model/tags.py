"""Reading tags in every spelling that people's files use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from vault_memory.model.yamlread import Items, Node, Text, resolve

_SPACE = re.compile(r"\s+")
_COMMA = re.compile(r"[,\n]")


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
    """Tags written as one text: JSON, parted by commas or lines, or parted by spaces."""
    listed = json_list(text)
    if listed is not None:
        parts: Iterable[str] = listed
    elif "," in text:
        parts = _COMMA.split(text)
    else:
        parts = _SPACE.split(text)
    return [tag for tag in map(bare_tag, parts) if tag]


def json_list(text: str) -> list[str] | None:
    """The texts of a JSON list in a text (`["alpha", "beta"]`), `None` where it holds none."""
    if not text.strip().startswith("["):
        return None
    try:
        # Numbers stay as they are written.
        values = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    texts = (str(value).lower() if isinstance(value, bool) else value for value in values)
    return [value for value in texts if isinstance(value, str)]


def commented_tags(node: Node, header: str) -> Iterator[tuple[Node, str]]:
    """Where an unquoted `#` makes a comment of what was meant as a tag, and what stands there.

    A comment that a blank begins (`# like this`) is meant as one.
    """
    if isinstance(node, Items) and node.flow:
        return
    for one in node.items if isinstance(node, Items) else [node]:
        if not isinstance(one, Text) or one.style in ("|", ">"):
            continue
        end = header.find("\n", one.end)
        rest = header[one.end : end if end >= 0 else len(header)].strip().lstrip(":").strip()
        if rest.startswith("#") and rest[1:2].strip("# \t"):
            yield one, rest


def bare_tag(text: str) -> str:
    """A tag without space around it and without the `#` before it."""
    return text.strip().lstrip("#").strip()


def unique(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, in the order of first mention."""
    return tuple(dict.fromkeys(tags))
