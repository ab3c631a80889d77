"""Reading one file's bytes into a memory: whatever they are, there is an answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, tzinfo
from hashlib import sha256
from typing import TypeVar

from vault_memory.errors import ValueFormatError
from vault_memory.model import codes
from vault_memory.model.codes import Fault
from vault_memory.model.conflict import conflict_line
from vault_memory.model.duration import MOMENT_FORM, Duration, date_in_name, expiry, read_moment, read_ttl
from vault_memory.model.fields import FIELDS, parse_flag, parse_importance
from vault_memory.model.kinds import default_importance
from vault_memory.model.links import body_links, front_links
from vault_memory.model.markdown import fenced_spans, first_heading
from vault_memory.model.memory import Link, Memory
from vault_memory.model.namespace import VaultPath, without_ending
from vault_memory.model.split import Split, split
from vault_memory.model.tags import read_tags, unique
from vault_memory.model.yamlread import (
    Items,
    Node,
    Pairs,
    Text,
    key_text,
    line_at,
    plain,
    read_header,
    resolve,
)

T = TypeVar("T")

_BREAKS = re.compile(r"\s*[\r\n\x85\u2028\u2029]\s*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_NEVER = "never"
_MAX_SHOWN = 60
"""Characters of a faulty value that a message repeats."""
_COUNTS_AS = {"expires": "never expires", "ttl": "never expires"}
"""What faulty values count as, where that is not what a missing one counts as."""


def parse_memory(path: VaultPath, content: bytes, *, zone: tzinfo) -> Memory:
    """The memory in a file. Never raises; what can't be read is in its findings.

    `zone` is the vault's: dates and times without an offset are in it.
    """
    parts, header, faults = _read_parts(content)
    reading = _Reading(parts.header or "", header, faults)
    fences = fenced_spans(parts.body)
    conflict = conflict_line(parts.header, parts.body, parts.body_line, fences)
    if conflict is not None:
        faults.append(
            Fault(codes.CONFLICT, conflict, "merge markers that nobody has resolved",
                  "keep one side, delete the marker lines, and commit")
        )  # fmt: skip
    kind = reading.text("kind")
    created = reading.moment("created", zone)
    updated = reading.moment("updated", zone)
    pinned = reading.value("pinned", parse_flag, default=False)
    name = path.rpartition("/")[2]
    supersedes = reading.links("supersedes")
    links = (*body_links(parts.body, parts.body_line, fences), *reading.links("links"), *supersedes)
    title = reading.title() or first_heading(parts.body, fences) or without_ending(name)
    return Memory(
        path=path,
        version=sha256(content).hexdigest(),
        id=reading.text("id"),
        title=title,
        body=parts.body,
        body_line=parts.body_line,
        importance=reading.value("importance", parse_importance, default=default_importance(kind)),
        tags=reading.tags(),
        kind=kind,
        pinned=pinned,
        source_agent=reading.text("source_agent"),
        created=created,
        updated=updated,
        dated=updated or created or date_in_name(name, zone),
        expires=reading.expires(created, zone, pinned=pinned),
        aliases=reading.texts("aliases"),
        supersedes=tuple(link.target for link in supersedes),
        links=links,
        front=plain(header),
        findings=tuple(fault.at(path) for fault in sorted(faults, key=lambda fault: fault.line)),
        conflicted=conflict is not None,
    )


def _read_parts(content: bytes) -> tuple[Split, Pairs, list[Fault]]:
    """The file in parts with its header parsed; an unreadable header counts as empty."""
    parts = split(content)
    faults = list(parts.faults)
    empty = Pairs(0, 0, None, [], flow=False)
    if not parts.header:
        return parts, empty, faults
    header = read_header(parts.header)
    if isinstance(header, Pairs):
        return parts, header, faults
    if header.code == codes.NOT_KEYS:
        # Prose or a list between two rules: nothing of it may be lost to search.
        parts = split(content, fenced=False)
        faults = list(parts.faults)
    return parts, empty, [*faults, header]


class _Reading:
    """Takes typed values out of a header and notes what can't be read."""

    def __init__(self, header: str, pairs: Pairs, faults: list[Fault]) -> None:
        self._header = header
        self._faults = faults
        self._nodes: dict[str, Node] = {}
        self._keys: dict[str, Node] = {}
        self._by_case: dict[str, str] = {}
        for key, value in pairs.pairs:
            self._enter(key_text(key), key, value)

    def _enter(self, name: str, key: Node, value: Node) -> None:
        if name in self._nodes:
            message = f"the key {name!r} stands here again; the first one counts"
            self._fault(codes.DUPLICATE_KEY, key, message, "keep one of the two")
            return
        self._nodes[name] = value
        self._keys[name] = key
        folded = name.casefold()
        other = self._by_case.setdefault(folded, name)
        if other != name:
            counts = name if name == folded else other
            self._by_case[folded] = counts
            message = f"{other!r} and {name!r} differ only in case; {counts!r} counts"
            self._fault(codes.CASE_TWIN, key, message, "keep one of the two")

    def node(self, name: str) -> Node | None:
        """The value of a known key, under any case; `None` where it is missing or empty."""
        node = self._nodes.get(name)
        if node is None:
            other = self._by_case.get(name)
            if other is None:
                return None
            node = self._nodes[other]
        node = resolve(node)
        return None if isinstance(node, Text) and node.empty else node

    def value(self, name: str, parse: Callable[[str], T], *, default: T) -> T:
        """A scalar as its parser reads it; `default` where it is missing or can't be read."""
        node = self.node(name)
        if node is None:
            return default
        if isinstance(node, Text):
            try:
                return parse(node.value)
            except ValueFormatError:
                pass  # told below, the same as for a list or a map
        self._unreadable(name, node, _COUNTS_AS.get(name) or _shown(default, FIELDS[name].default))
        return default

    def text(self, name: str) -> str | None:
        """A known key's value as one line of text."""
        return self.value(name, _line_of_text, default=None)

    def title(self) -> str | None:
        """The title as typed, be it a number or the word null."""
        node = self._nodes.get(self._by_case.get("title", ""))
        node = resolve(node) if node is not None else None
        if isinstance(node, Text):
            return _BREAKS.sub(" ", node.value).strip() or None
        return self.text("title")

    def moment(self, name: str, zone: tzinfo, *, whole_day: bool = False) -> datetime | None:
        """A known key's value as an instant in UTC."""

        def parse(text: str) -> datetime | None:
            moment = read_moment(text, zone, whole_day=whole_day)
            if moment is None:
                raise ValueFormatError(name, text, MOMENT_FORM)
            return moment

        return self.value(name, parse, default=None)

    def expires(self, created: datetime | None, zone: tzinfo, *, pinned: bool) -> datetime | None:
        """The end of its life; findings come also where `pinned` makes it moot."""
        node = self.node("expires")
        if node is not None and isinstance(node, Text) and node.value.strip().casefold() in ("", _NEVER):
            absolute, never = None, True
        else:
            absolute, never = self.moment("expires", zone, whole_day=True), False
        ttl: Duration | None = self.value("ttl", read_ttl, default=None)
        ttl_node = self.node("ttl")
        if ttl_node is not None and ttl is not None and created is None:
            message = "ttl counts from created, and there is no readable one"
            advice = "add  created: 2026-03-14  (git log --follow shows the day of its first commit)"
            self._fault(codes.TTL_WITHOUT_CREATED, ttl_node, message, advice)
        if pinned or never:
            return None
        if node is not None:
            # A faulty `expires` does not fall back on `ttl`: better kept too long than dropped.
            return absolute
        return expiry(created, ttl, zone) if ttl is not None and created is not None else None

    def tags(self) -> tuple[str, ...]:
        """The tags of `tags` and `tag`."""
        found: list[str] = []
        for name in ("tags", "tag"):
            node = self.node(name)
            if node is None:
                self._comment_for_tags(name)
                continue
            tags, odd = read_tags(node)
            found += tags
            for part in odd:
                self._unreadable("tags", part, "no tag")
        return unique(found)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, or one text."""
        node = self.node(name)
        if node is None:
            return ()
        entries = node.items if isinstance(node, Items) else [node]
        found: list[str] = []
        for entry in entries:
            value = resolve(entry)
            if not isinstance(value, Text):
                self._unreadable(name, entry, "nothing")
            elif not value.empty and value.value.strip():
                found.append(_BREAKS.sub(" ", value.value).strip())
        return unique(found)

    def links(self, name: str) -> tuple[Link, ...]:
        """The links of a front matter key."""
        node = self.node(name)
        if node is None:
            return ()
        links: list[Link] = []
        for link in front_links(node, self._header, name):
            if isinstance(link, Link):
                links.append(link)
            else:
                self._unreadable(name, link, "nothing")
        return tuple(links)

    def _comment_for_tags(self, name: str) -> None:
        key = self._keys.get(self._by_case.get(name, ""))
        if key is None:
            return
        end = self._header.find("\n", key.end)
        rest = self._header[key.end : end if end >= 0 else len(self._header)].strip().lstrip(":").strip()
        if rest.startswith("#") and not rest[1:2].isspace():
            advice = f'quote them:  {name}: "{rest}"' if '"' not in rest else "quote them"
            self._fault(
                codes.COMMENT_TAGS, key, "an unquoted '#' begins a comment, so these are no tags", advice
            )

    def _unreadable(self, name: str, node: Node, counts_as: str) -> None:
        row = FIELDS[name]
        value = plain(node)
        if isinstance(value, str):
            shown = repr(value if len(value) <= _MAX_SHOWN else value[: _MAX_SHOWN - 1] + "…")
        else:
            shown = "a map" if isinstance(value, dict) else "a list"
        self._fault(row.code, node, f"{name} can't be {shown}; it counts as: {counts_as}",
                    f"{name} takes {row.form}")  # fmt: skip

    def _fault(self, code: str, node: Node, message: str, advice: str) -> None:
        self._faults.append(Fault(code, line_at(self._header, node.start), message, advice))


def _line_of_text(text: str) -> str | None:
    line = _BREAKS.sub(" ", text).strip()
    if _CONTROL.search(line):
        raise ValueFormatError("a text", text, "one line of text")
    return line or None


def _shown(default: object, otherwise: str) -> str:
    if default is None:
        return otherwise
    return str(default).lower() if isinstance(default, bool) else str(default)
