"""Links from one memory to others: in the body's text and in the front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from vault_memory.model.markdown import Spans, without_code
from vault_memory.model.memory import Link
from vault_memory.model.namespace import is_memory_name
from vault_memory.model.yamlread import Items, Node, Text, line_at, resolve

LINK = "link"

_LINK = re.compile(
    r"(?<!\\)\[\[(?P<wiki>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]"
    r"|\]\([ \t]*(?:<(?P<angle>[^<>\n]+)>|(?P<bare>[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WRITTEN = re.compile(r"!?\[\[([^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")


def body_links(body: str, body_line: int, fences: Spans) -> tuple[Link, ...]:
    """`[[target]]`, `[[target|alias]]`, `[[target#heading]]` and `[text](target.md)`, not from code."""
    if "[[" not in body and "](" not in body:
        return ()
    links: list[Link] = []
    line, counted = body_line, 0
    prose = without_code(body, fences)
    for found in _LINK.finditer(prose):
        target = _target(found)
        if target:
            line += prose.count("\n", counted, found.start())
            counted = found.start()
            links.append(Link(target, line, LINK))
    return tuple(links)


def written_target(text: str) -> str:
    """The target of a front matter entry: `[[target|alias]]` or the bare target."""
    found = _WRITTEN.fullmatch(text.strip())
    return (found[1] if found else text).strip()


def front_links(node: Node, header: str, kind: str) -> Iterator[Link | Node]:
    """The links of a front matter list or text; entries that can't be one come back as nodes."""
    node = resolve(node)
    if isinstance(node, Text):
        entries: list[Node] = [] if node.empty else [node]
    elif isinstance(node, Items):
        entries = node.items
    else:
        yield node
        return
    for entry in entries:
        text = _entry_text(entry)
        if text is None:
            yield entry
        elif written_target(text):
            yield Link(written_target(text), line_at(header, entry.start), kind)


def _entry_text(entry: Node) -> str | None:
    """The text of an entry; an unquoted `[[target]]` is a list in a list to YAML."""
    entry = resolve(entry)
    for _ in range(2):
        if isinstance(entry, Items) and len(entry.items) == 1:
            entry = resolve(entry.items[0])
    if not isinstance(entry, Text):
        return None
    return "" if entry.empty else entry.value


def _target(found: re.Match[str]) -> str | None:
    wiki = found["wiki"]
    if wiki is not None:
        # In a table the bar before an alias is escaped: [[target\|alias]].
        return wiki.strip().removesuffix("\\").strip() or None
    written = found["angle"] or found["bare"]
    if _SCHEME.match(written):
        return None
    target = unquote(written.partition("#")[0]).strip()
    return target if is_memory_name(target) and "\x00" not in target else None
