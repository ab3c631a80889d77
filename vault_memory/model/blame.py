"""Whose the lines of a memory are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Revision


class Origin(NamedTuple):
    """A line as it lies in the file, and where it came from."""

    text: str
    """Without its end; what is no UTF-8 is replaced."""
    commit: str | None
    """In full; `None` for a line that is in no commit yet."""
    path: str | None
    """What the file was called in that commit, `None` for a place outside the vault."""


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """A line of a memory's file, and the commit that brought it in as it is."""

    number: int
    text: str
    front: bool
    """Whether it stands in the front matter, its fences included."""
    revision: Revision | None
    """`None` where it is in no commit, or in one that the caller may not know of."""
    committed: bool
    """Whether it is in a commit."""


@dataclass(frozen=True, slots=True)
class Blame:
    """A memory, line by line."""

    path: VaultPath
    id: str | None
    title: str
    lines: tuple[BlamedLine, ...]
    notices: tuple[str, ...] = ()
