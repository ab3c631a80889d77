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
from vault_memory.model.dateforms import NoDateError
from vault_memory.model.duration import Duration, expiry, read_ttl
from vault_memory.model.fields import FIELDS, parse_flag, parse_importance
from vault_memory.model.inlinetags import inline_tags
from vault_memory.model.kinds import default_importance
from vault_memory.model.links import body_links, front_links, quoted_links
from vault_memory.model.markdown import fenced_spans, first_heading
from vault_memory.model.memory import Link, Memory
from vault_memory.model.moments import MOMENT_FORM, date_in_name, parse_moment
from vault_memory.model.namespace import VaultPath, without_ending
from vault_memory.model.split import Split, split
from vault_memory.model.tags import commented_tags, json_list, read_tags, unique
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

_BREAKS = re.compile(r"(?<!\s)\s*[\r\n\x85\u2028\u2029]\s*")  # looked for once in a run of blanks
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PLACEHOLDER = re.compile(r"[\"']?(?:\{\{[^\n]*?\}\}|\{%[^\n]*?%\}|<%[^\n]*?%>)")
"""What templates of editors have where a value is to be."""
_NEVER = "never"
_MAX_SHOWN = 60
"""Characters of a faulty value that a message repeats."""
_COUNTS_AS = {"expires": "never expires", "ttl": "never expires"}
"""What faulty values count as, where that is not what a missing one counts as."""


def parse_memory(path: VaultPath, content: bytes, *, zone: tzinfo) -> Memory:
    """The memory in a file. Never raises; what can't be read is in its findings.

    `zone` is the vault's: dates and times without an offset are in it.
    """
    parts, header, faults = read_parts(content)
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
    links = (
        *body_links(parts.body, parts.body_line, fences),
        *reading.links("links"),
        *supersedes,
        *reading.links_of_other_keys(),
    )
    reading.tell_other_placeholders()
    tags = reading.tags()
    had = {tag.casefold() for tag in tags}
    title = reading.title() or first_heading(parts.body, fences) or without_ending(name)
    return Memory(
        path=path,
        version=sha256(content).hexdigest(),
        id=reading.text("id"),
        title=title,
        body=parts.body,
        body_line=parts.body_line,
        importance=reading.value("importance", parse_importance, default=default_importance(kind)),
        tags=tags,
        inline_tags=tuple(tag for tag in inline_tags(parts.body, fences) if tag.casefold() not in had),
        kind=kind,
        pinned=pinned,
        source_agent=reading.text("source_agent"),
        created=created,
        updated=updated,
        dated=updated or created or date_in_name(name, zone),
        expires=reading.expires(created, zone, pinned=pinned),
        aliases=reading.aliases(),
        supersedes=tuple(link.target for link in supersedes),
        links=links,
        front=plain(header),
        findings=tuple(fault.at(path) for fault in sorted(faults, key=lambda fault: fault.line)),
        conflicted=conflict is not None,
    )


def read_parts(content: bytes) -> tuple[Split, Pairs, list[Fault]]:
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
        reason = ""
        if isinstance(node, Text):
            try:
                return parse(node.value)
            except ValueFormatError as error:
                reason = error.reason
        counts_as = _COUNTS_AS.get(name) or _shown(default, FIELDS[name].default)
        self._unreadable(name, node, counts_as, reason)
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
            try:
                return parse_moment(text, zone, whole_day=whole_day)
            except NoDateError as error:
                raise ValueFormatError(name, text, MOMENT_FORM, reason=str(error)) from error

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
            advice = "add  created: 2026-03-14  (vmem lint --fix takes the time of its first commit)"
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
            key = self._keys.get(self._by_case.get(name, ""))
            if key is not None:
                self._tell_commented(name, key, self._nodes[key_text(key)])
            if node is None:
                continue
            tags, odd = read_tags(node)
            found += tags
            for part in odd:
                self._unreadable("tags", part, "no tag")
        return unique(found)

    def aliases(self) -> tuple[str, ...]:
        """The names of `aliases` and `alias`: a list, or a text in which commas part them."""
        found: list[str] = []
        for name in ("aliases", "alias"):
            node = self.node(name)
            if isinstance(node, Text):
                listed = json_list(node.value)
                found += listed if listed is not None else re.split(r"[,\n]", node.value)
                continue
            for entry in node.items if isinstance(node, Items) else [node] if node else []:
                value = resolve(entry)
                if not isinstance(value, Text):
                    self._unreadable("aliases", entry, "nothing")
                elif not value.empty:
                    found.append(value.value)
        return unique(one for one in (_BREAKS.sub(" ", text).strip() for text in found) if one)

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

    def links_of_other_keys(self) -> tuple[Link, ...]:
        """Every `"[[target]]"` that is the whole value, or a list's item, of a key of the person's own."""
        if "[[" not in self._header:
            return ()
        found: list[Link] = []
        for name, node in self._nodes.items():
            if name.casefold() not in FIELDS:
                found += quoted_links(node, self._header, name.casefold())
        return tuple(found)

    def _tell_commented(self, name: str, key: Node, node: Node) -> None:
        # What stands there is empty where all of it is a comment, and may then lie anywhere.
        places = key if isinstance(node, Text) and node.empty else node
        for place, rest in commented_tags(places, self._header):
            written = f'{name}: "{rest}"' if place is key else f'"{rest}"'
            advice = f"quote them:  {written}" if '"' not in rest else "quote them"
            message = "an unquoted '#' begins a comment, so these are no tags"
            self._fault(codes.COMMENT_TAGS, place, message, advice)

    def _unreadable(self, name: str, node: Node, counts_as: str, reason: str = "") -> None:
        row = FIELDS[name]
        if self._tell_placeholder(name, node, f"; it counts as: {counts_as}"):
            return
        value = plain(node)
        if isinstance(value, str):
            shown = repr(_short(value))
        else:
            shown = "a map" if isinstance(value, dict) else "a list"
        why = f" ({reason})" if reason else ""
        self._fault(row.code, node, f"{name} can't be {shown}{why}; it counts as: {counts_as}",
                    f"{name} takes {row.form}")  # fmt: skip

    def tell_other_placeholders(self) -> None:
        """Of keys of the person's own too: unquoted ones are maps to YAML, which hardly any reader takes."""
        if "{{" not in self._header:
            return
        for name, node in self._nodes.items():
            if name.casefold() not in FIELDS and isinstance(node, Pairs) and node.flow:
                self._tell_placeholder(name, node, "")

    def _tell_placeholder(self, name: str, node: Node, more: str) -> bool:
        placeholder = _PLACEHOLDER.match(self._header, node.start)
        if placeholder:
            message = f"{name} is still the placeholder {_short(placeholder[0])} of a template{more}"
            advice = "all is well with a template; in a note made from one, fill it in"
            self._fault(codes.PLACEHOLDER, node, message, advice)
        return placeholder is not None

    def _fault(self, code: str, node: Node, message: str, advice: str) -> None:
        self._faults.append(Fault(code, line_at(self._header, node.start), message, advice))


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"


def _line_of_text(text: str) -> str | None:
    line = _BREAKS.sub(" ", text).strip()
    if _CONTROL.search(line):
        raise ValueFormatError("a text", text, "one line of text")
    return line or None


def _shown(default: object, otherwise: str) -> str:
    if default is None:
        return otherwise
    return str(default).lower() if isinstance(default, bool) else str(default)
