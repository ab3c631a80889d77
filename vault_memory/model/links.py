"""Links from one memory to others: in the body's text and in the front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from vault_memory.model.markdown import Spans, without_code
from vault_memory.model.memory import Link
from vault_memory.model.namespace import is_memory_name
from vault_memory.model.yamlread import Items, Node, Text, line_at, resolve

LINK = "link"
OWN_KEYS = ("links", "supersedes")
"""The keys whose entries are links however they are written."""

# The look behind comes after the brackets: a regex that begins with what is rare is ten times as fast.
_LINK = re.compile(
    r"\[\[(?<!\\\[\[)(?P<wiki>[^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]"
    r"|\]\([ \t]*(?:<(?P<angle>[^<>\n]+)>|(?P<bare>[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_WRITTEN = re.compile(r"!?\[\[([^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A link of a body, and the offsets between which its target (and its label) is written."""

    link: Link
    start: int
    end: int
    label_start: int
    label_end: int
    form: str
    """`wiki` for `[[target]]`, `bare` for `(target.md)`, `angle` for `(<target.md>)`."""


def body_links(body: str, body_line: int, fences: Spans) -> tuple[Link, ...]:
    """`[[target]]`, `[[target|alias]]`, `[[target#heading]]` and `[text](target.md)`, not from code."""
    return tuple(mark.link for mark in body_marks(body, body_line, fences))


def body_marks(body: str, body_line: int, fences: Spans) -> Iterator[Mark]:
    """The links of a body with the places of their targets, in order."""
    if "[[" not in body and "](" not in body:
        return
    line, counted = body_line, 0
    prose = without_code(body, fences)
    for found in _LINK.finditer(prose):
        target = _target(found)
        if not target:
            continue
        line += prose.count("\n", counted, found.start())
        counted = found.start()
        form = next(name for name in ("wiki", "angle", "bare") if found[name] is not None)
        label = (found["label"] or "").strip()
        yield Mark(Link(target, line, LINK, label), *_target_span(found, form), *found.span("label"), form)


def file_marks(body: str, body_line: int, fences: Spans) -> Iterator[Mark]:
    """The links of a body to what is no memory, `![](picture.png)` and `[[./picture.png]]`, in order.

    Whether anything is there is not asked; URLs are none."""
    if "](" not in body and "[[." not in body:
        return
    line, counted = body_line, 0
    prose = without_code(body, fences)
    for found in _LINK.finditer(prose):
        form = next(name for name in ("wiki", "angle", "bare") if found[name] is not None)
        written = found[form]
        if form == "wiki" and not written.strip().startswith(("./", "../")):
            continue
        if form != "wiki" and _SCHEME.match(written):
            continue
        start, end = _target_span(found, form)
        target = prose[start:end] if form == "wiki" else unquote(prose[start:end])
        if not target or is_memory_name(target) or "\x00" in target:
            continue
        line += prose.count("\n", counted, found.start())
        counted = found.start()
        yield Mark(
            Link(target, line, LINK, (found["label"] or "").strip()), start, end, *found.span("label"), form
        )


def written_target(text: str) -> str:
    """The target of a front matter entry: `[[target|alias]]` or the bare target."""
    return _written(text)[0]


def _written(text: str) -> tuple[str, str]:
    """Target and label of a front matter entry."""
    found = _WRITTEN.fullmatch(text.strip())
    return (found[1].strip(), (found[2] or "").strip()) if found else (text.strip(), "")


def front_links(node: Node, header: str, kind: str) -> Iterator[Link | Node]:
    """The links of a front matter list or text; entries that can't be one come back as nodes."""
    for entry in entries_of(node):
        text = _entry_text(entry)
        if text is None:
            yield entry
        elif link := link_of(entry, header, kind):
            yield link


def quoted_links(node: Node, header: str, kind: str) -> Iterator[Link]:
    """The links of a key that may hold anything: only what is written as `"[[target]]"` is one."""
    for entry in entries_of(node):
        if link := link_of(entry, header, kind):
            yield link


def entries_of(node: Node) -> list[Node]:
    """The values of a key that may hold one or a list of them."""
    node = resolve(node)
    if isinstance(node, Items):
        return node.items
    return [] if isinstance(node, Text) and node.empty else [node]


def link_of(entry: Node, header: str, kind: str) -> Link | None:
    """The link that one entry of the key `kind` holds; in our own keys a bare target is one too."""
    text: str | None
    if kind in OWN_KEYS:
        text = _entry_text(entry)
    else:
        value = resolve(entry)
        quoted = isinstance(value, Text) and value.style != "" and _WRITTEN.fullmatch(value.value.strip())
        text = value.value if isinstance(value, Text) and quoted else None
    target, label = _written(text or "")
    return Link(target, line_at(header, entry.start), kind, label) if target else None


def _entry_text(entry: Node) -> str | None:
    """The text of an entry; an unquoted `[[target]]` is a list in a list to YAML."""
    entry = resolve(entry)
    for _ in range(2):
        if isinstance(entry, Items) and len(entry.items) == 1:
            entry = resolve(entry.items[0])
    if not isinstance(entry, Text):
        return None
    return "" if entry.empty else entry.value


def _target_span(found: re.Match[str], form: str) -> tuple[int, int]:
    """Where the target is written, without space around it and without the heading behind it."""
    text = found[form] if form == "wiki" else found[form].partition("#")[0]
    inner = text.strip().removesuffix("\\").strip() if form == "wiki" else text.strip()
    start = found.start(form) + text.index(inner)
    return start, start + len(inner)


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
