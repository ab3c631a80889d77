"""A memory as read from its file, the draft of one to be written, and its entry in the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from vault_memory.model.namespace import VaultPath

DEFAULT_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault in one file: what `vmem lint` prints. `line` is 1-based; `code` is e.g. `VM012`."""

    code: str
    path: str
    line: int
    message: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A reference from one memory to another, as written; resolved only when asked for."""

    target: str
    line: int
    kind: str = "link"
    """`link` for `[[target]]` and `[text](target.md)`; a front matter key's name for `links:` etc."""
    label: str = ""
    """What stands behind the bar of `[[target|label]]`; some programs write the target there."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One Markdown file, parsed. Every time is aware; what could not be read is `None`.

    `version` is the sha256 of the file's bytes (hex). `front` holds every front matter key with
    its value as written: scalars are text, lists are lists of text, maps are maps. `body` is the
    text after the front matter with line ends as LF; its first line is line `body_line` of the
    file (1-based).
    """

    path: VaultPath
    version: str
    id: str | None
    title: str
    body: str
    body_line: int
    importance: float = DEFAULT_IMPORTANCE
    tags: tuple[str, ...] = ()
    """Of the front matter, each once, in order."""
    inline_tags: tuple[str, ...] = ()
    """Of `#tag` in the body, those that `tags` lacks; whether they count is a setting."""
    kind: str | None = None
    pinned: bool = False
    source_agent: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    dated: datetime | None = None
    """What recency looks at: `updated`, else `created`, else a date in the file's name."""
    expires: datetime | None = None
    """The first instant at which it no longer counts; `None` for never (so for pinned ones)."""
    aliases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    front: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    conflicted: bool = False
    """The file holds unresolved merge markers, so it stays out of recall."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory to be written. Values are checked where the draft is made (`model/fields.py`)."""

    text: str
    title: str | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    ttl: str | None = None
    expires: str | None = None
    kind: str | None = None
    pinned: bool = False
    namespace: str | None = None
    links: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    """Further front matter keys (`--set key=value`), each one scalar, written as text."""
    header: str | None = None
    """Front matter that the text came with, as it stands there; the fields above win over it."""
    notices: tuple[str, ...] = ()
    """What to tell whoever gave the text."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index keeps of a memory: enough to name, list, filter and score it."""

    path: VaultPath
    version: str
    id: str | None
    title: str
    importance: float
    tags: tuple[str, ...]
    inline_tags: tuple[str, ...]
    aliases: tuple[str, ...]
    kind: str | None
    pinned: bool
    source_agent: str | None
    created: datetime | None
    updated: datetime | None
    dated: datetime | None
    expires: datetime | None
    size: int
    """Bytes of the file."""
    conflicted: bool
    front: Mapping[str, object]


class Indexed(NamedTuple):
    """All that an index tells of one memory but its text."""

    entry: Entry
    links: tuple[Link, ...]
    """As written."""
    findings: tuple[Finding, ...]
    """Faults found while reading."""
