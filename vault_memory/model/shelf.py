"""What the rules of lint look at: all that lies in a vault, as far as a caller may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from vault_memory.model.anchors import Anchors
from vault_memory.model.attachments import Attachments
from vault_memory.model.linkmap import LinkMap
from vault_memory.model.memory import Entry, Finding, Link
from vault_memory.model.namespace import VaultPath


class Told(NamedTuple):
    """A finding, and the other files that it is about."""

    finding: Finding
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """What lies in a vault, as far as the caller may read it, and how to ask for more of it."""

    now: datetime
    entries: Sequence[Entry]
    links: Sequence[tuple[VaultPath, Link]]
    odd: Sequence[tuple[str, str]]
    """(path, reason) of what can't be read as a memory."""
    content: Callable[[VaultPath], bytes]
    """A file's bytes; empty where it is gone or can't be read."""
    first_commit: Callable[[VaultPath], datetime | None]
    ignored: Callable[[VaultPath], bool]
    secrets: Callable[[str], Iterable[tuple[str, int]]]
    """(rule, line) of each secret in a text."""
    places: Callable[[], LinkMap]
    """What the links lead to; made when it is first asked for."""
    anchors: Callable[[VaultPath], Anchors]
    """The headings and blocks of a memory."""
    attachments: Callable[[], Attachments]
    """The files that are no memories; looked for when they are first asked for."""
