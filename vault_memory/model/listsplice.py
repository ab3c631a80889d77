"""Adding an entry to a front matter list, or taking one out, in the style that the list has."""

from __future__ import annotations

import re

from vault_memory.model.header import Edit, Header
from vault_memory.model.yamlread import Items, Node, Text, anchors_in
from vault_memory.model.yamlwrite import quoted, scalar

_DASH = re.compile(r"([ \t]*)-([ \t]+|$)")


def entry_added(header: Header, number: int, value: Items, text: str) -> Edit:
    """The edit that puts an entry at the end of the list which pair `number` holds."""
    written = quoted_alike(value.items, text, flow=value.flow)
    if not value.flow:
        return _into_lines(header, number, value, written)
    if value.items:
        end = value.items[-1].end
        return Edit(end, end, f", {written}")
    opened = header.text.index("[", value.start) + 1
    return Edit(opened, opened, written)


def entry_taken(header: Header, value: Items, at: int) -> Edit:
    """The edit that takes out the entry at that place."""
    item = value.items[at]
    if any(anchors_in(item)):
        raise header.refuse(item.start, "other lines may refer to this entry's anchor")
    return _out_of_flow(header, value, at) if value.flow else _out_of_lines(header, item)


def quoted_alike(items: list[Node], text: str, *, flow: bool) -> str:
    """The text with the quotes that all its neighbours have."""
    styles = {item.style for item in items if isinstance(item, Text) and not item.empty}
    if styles == {'"'}:
        return quoted(text)
    if styles == {"'"}:
        return "'" + text.replace("'", "''") + "'"
    return scalar(text, flow=flow)


def _into_lines(header: Header, number: int, value: Items, written: str) -> Edit:
    start, end = header.lines_of(number)
    dashes = [found for line in header.text[start:end].split("\n") if (found := _DASH.match(line))]
    if not dashes:
        raise header.refuse(value.start, "the list is not written as lines with '- '")
    indent, gap = dashes[-1][1], dashes[-1][2] or " "
    return Edit(end, end, f"{indent}-{gap}{written}\n")


def _out_of_flow(header: Header, value: Items, at: int) -> Edit:
    item = value.items[at]
    if at > 0:
        before = value.items[at - 1].end
        if header.text[before : item.start].strip(" \t") == ",":
            return Edit(before, item.end, "")
    elif len(value.items) > 1:
        after = value.items[1].start
        if header.text[item.end : after].strip(" \t") == ",":
            return Edit(item.start, after, "")
    # Over several lines: take the entry and the comma behind it, and leave comments alone.
    comma = re.compile(r"[ \t]*,").match(header.text, item.end)
    return Edit(item.start, comma.end() if comma else item.end, "")


def _out_of_lines(header: Header, item: Node) -> Edit:
    start = header.line_start(item.start)
    if not _DASH.match(header.text, start, item.start):
        raise header.refuse(item.start, "the entry is not on a line of its own with '- '")
    return Edit(start, min(header.line_end(item.end) + 1, len(header.text)), "")
