"""Two memories that came under one name: by two sides that made it, or because git took one for the other."""

from __future__ import annotations

from enum import StrEnum

from vault_memory.errors import FormatError
from vault_memory.model.header import open_header
from vault_memory.model.merging.lines import values_of


class Mixed(StrEnum):
    """How that came to be, in words for a person."""

    TWO = "both sides made a memory of that name, and they are two"
    OTHER = "git takes it for another memory that was renamed: their ids differ"


def id_in(path: str, content: bytes) -> str | None:
    """The id that stands in a file, in upper case; `None` for none that can be read."""
    try:
        value = values_of(open_header(path, content)).get("id")
    except FormatError:
        return None
    return value.strip().upper() or None if isinstance(value, str) else None


def mixed(path: str, base: bytes, ours: bytes, theirs: bytes) -> Mixed | None:
    """Whether these are versions of more than one memory, by their ids; `base` is empty where both sides
    have made the file."""
    was, mine, other = (id_in(path, one) for one in (base, ours, theirs))
    if not base:
        return Mixed.TWO if None not in (mine, other) and mine != other else None
    # An id that a side has put in or taken out says nothing.
    return Mixed.OTHER if was is not None and len({was, mine, other} - {None}) > 1 else None
