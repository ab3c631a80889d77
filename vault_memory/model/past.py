"""What git still holds of a vault: versions of files, messages, and where in them secrets are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class PastCommit:
    """A commit that touched the vault. `text` is its message, `versions` are (path, blob) that it brought."""

    commit: str
    when: datetime
    author: str
    text: str
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Buried:
    """A rule's finds in all versions of one file, or (`path` is `None`) in the message of one commit."""

    rule: str
    path: str | None
    line: int
    """In the oldest version that has one."""
    first: str
    """The commit that brought it in, in full."""
    when: datetime
    author: str
    last: str
    """The newest commit that brought a version with it."""
    versions: int
    present: bool
    """Whether HEAD's version has it, too."""


@dataclass(frozen=True, slots=True)
class Unearthed:
    """What a look through all of history found: by path and line, messages of commits last."""

    found: tuple[Buried, ...]
    versions: int
    """So many different contents of files were looked through."""
    commits: int
    notices: tuple[str, ...] = ()
