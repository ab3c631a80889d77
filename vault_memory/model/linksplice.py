"""Changing the targets of a file's links while every other byte stays as it was."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import quote

from vault_memory.errors import FrontMatterError
from vault_memory.model.fields import FIELDS
from vault_memory.model.header import Edit, Header, open_header
from vault_memory.model.linkmap import fits_a_link
from vault_memory.model.links import OWN_KEYS, Mark, body_marks, entries_of, file_marks, link_of
from vault_memory.model.markdown import Spans, fenced_spans
from vault_memory.model.memory import Link
from vault_memory.model.parse import read_parts
from vault_memory.model.split import Split
from vault_memory.model.yamlread import Node, key_text

_RAW_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_BARE_SAFE = "/:@!$&'*+,;=-._~"
"""Signs that need no `%` in a bare `(target.md)`; brackets do, since they must come in pairs."""

WIKI, MARKDOWN = "wiki", "markdown"
ONE_BY_ONE = 20
"""So many links of a front matter are tried one by one where they can't be changed together: each try reads
it anew."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A file after the change: its bytes, how many links changed, and those that could not."""

    content: bytes
    changed: int
    left: tuple[Link, ...]


Wanted = Callable[[Link, str], tuple[str, bool] | None]
"""Given a link and how it is written (`wiki`, `markdown`): the new target and whether it goes where
the label stands; `None` to leave it alone."""


MarksOf = Callable[[str, int, Spans], Iterator[Mark]]


def rewrite_links(path: str, content: bytes, wanted: Wanted) -> Rewritten:
    """The file with other targets in some of its links; labels, headings, quotes and code stay.

    `path` is for messages. Each change in the front matter is proven by reading it again, those in
    the body together; what can't be changed so is left as it was and given back.
    """
    parts, pairs, _ = read_parts(content)
    if parts.encoding != "utf-8":
        return Rewritten(content, 0, ())
    in_header = _in_header(path, content, wanted) if pairs.pairs else Rewritten(content, 0, ())
    in_body = _in_body(in_header.content, wanted)
    return Rewritten(in_body.content, in_header.changed + in_body.changed, in_header.left + in_body.left)


def rewrite_file_links(content: bytes, wanted: Wanted) -> Rewritten:
    """The same for the links of its text to pictures and other files that are no memories."""
    if read_parts(content)[0].encoding != "utf-8":
        return Rewritten(content, 0, ())
    return _in_body(content, wanted, file_marks)


def _in_body(content: bytes, wanted: Wanted, marks_of: MarksOf = body_marks) -> Rewritten:
    parts, _, _ = read_parts(content)
    lines = _Lines(content, parts.body_start, parts.body)
    left: list[Link] = []
    expected: list[tuple[str, str]] = []
    edits: list[tuple[int, int, bytes]] = []
    for mark in _marks(parts, marks_of):
        new = wanted(mark.link, WIKI if mark.form == "wiki" else MARKDOWN)
        edit = _body_edit(lines, parts.body, mark, *new) if new is not None else None
        if new is None or edit is None:
            left += [mark.link] if new is not None else []
            expected.append((mark.link.target, mark.link.label))
            continue
        edits.append(edit)
        expected.append(_renamed(mark.link, *new))
    pieces: list[bytes] = []
    last = 0
    for start, end, text in edits:
        pieces += (content[last:start], text)
        last = end
    after = b"".join((*pieces, content[last:]))
    if [(mark.link.target, mark.link.label) for mark in _marks(read_parts(after)[0], marks_of)] != expected:
        return Rewritten(content, 0, tuple(mark.link for mark in _marks(parts, marks_of)))
    return Rewritten(after, len(edits), tuple(left))


def _marks(parts: Split, marks_of: MarksOf) -> list[Mark]:
    return list(marks_of(parts.body, parts.body_line, fenced_spans(parts.body)))


def _renamed(link: Link, target: str, in_label: bool) -> tuple[str, str]:
    """Target and label that a changed link is to read as."""
    if not in_label:
        return target, link.label
    return link.target, link.label.replace(_name_in(link.label), target, 1)


def _name_in(label: str) -> str:
    """The target in a label, without its heading."""
    return label.partition("#")[0].strip()


def _body_edit(
    lines: _Lines, body: str, mark: Mark, target: str, in_label: bool
) -> tuple[int, int, bytes] | None:
    start, end = mark.start, mark.end
    if in_label:
        written = body[mark.label_start : mark.label_end]
        named = _name_in(written)
        start = mark.label_start + written.index(named)
        end = start + len(named)
    if mark.form == "wiki":
        text = target if fits_a_link(target) else None
    elif mark.form == "angle":
        text = None if re.search(r"[<>\n]", target) else target.replace("%", "%25").replace("#", "%23")
    else:
        text = "".join(quote(char, safe=_BARE_SAFE) if _needs_quotes(char) else char for char in target)
    first, last = lines.at(start), lines.at(end)
    if text is None or first is None or last is None:
        return None
    return first, last, text.encode("utf-8")


def _needs_quotes(char: str) -> bool:
    """Letters of any script stay readable; only what could end or change the link is escaped."""
    return char.isascii() or char.isspace()


class _Lines:
    """From offsets in the body's text to offsets in the file's bytes."""

    def __init__(self, content: bytes, start: int, body: str) -> None:
        raw = _RAW_LINE.findall(content, start)
        self._raw = raw
        self._raw_starts = [start, *(start + end for end in accumulate(map(len, raw)))]
        self._starts = [0, *(found.end() for found in re.finditer("\n", body))]
        self._body = body
        self._known = (-1, 0, 0)

    def at(self, offset: int) -> int | None:
        """`None` on a line whose bytes are no UTF-8, where offsets can't be told."""
        line = bisect_right(self._starts, offset) - 1
        # On from the last place that was asked for: a line may be long, and hold many links.
        known_line, known, size = self._known
        if known_line != line or known > offset:
            known, size = self._starts[line], 0
        more = self._body[known:offset].encode("utf-8")
        if not self._raw[line].startswith(more, size):
            return None
        self._known = (line, offset, size + len(more))
        return self._raw_starts[line] + size + len(more)


def _in_header(path: str, content: bytes, wanted: Wanted) -> Rewritten:
    header = open_header(path, content)
    links = [link for _, link in _entries(header)]
    new = {number: found for number, link in enumerate(links) if (found := wanted(link, WIKI)) is not None}
    together = _changed(header, new)
    if together is not None:
        return Rewritten(together.content, len(new), ())
    changed = 0
    left: list[Link] = []
    for tried, (number, renamed) in enumerate(new.items()):
        after = _changed(header, {number: renamed}) if tried < ONE_BY_ONE else None
        if after is None:
            left.append(links[number])
        else:
            header, changed = after, changed + 1
    return Rewritten(header.content, changed, tuple(left))


def _changed(header: Header, new: Mapping[int, tuple[str, bool]]) -> Header | None:
    """The header with these entries' targets changed, if it then reads as it should and no other does."""
    before = _entries(header)
    expected = [(one.kind, one.target, one.label) for _, one in before]
    edits: list[Edit] = []
    for number, (target, in_label) in new.items():
        entry, link = before[number]
        old = _name_in(link.label) if in_label else link.target
        written = header.text[entry.start : entry.end]
        at = written.rfind(old) if in_label else written.find(old)
        if at < 0 or "\n" in target:
            return None
        start = entry.start + at
        edits.append(Edit(start, start + len(old), target))
        expected[number] = (link.kind, *_renamed(link, target, in_label))
    try:
        after = open_header(header.path, header.apply(*edits))
    except FrontMatterError:
        return None
    found = [(one.kind, one.target, one.label) for _, one in _entries(after)]
    return after if found == expected and after.parts.body == header.parts.body else None


def _entries(header: Header) -> list[tuple[Node, Link]]:
    """The links of the front matter, each with the value that it is written in."""
    keys = [(key_text(key).casefold(), value) for key, value in header.pairs.pairs]
    return [
        (entry, link)
        for kind, value in keys
        if kind in OWN_KEYS or kind not in FIELDS
        for entry in entries_of(value)
        if (link := link_of(entry, header.text, kind)) is not None
    ]
