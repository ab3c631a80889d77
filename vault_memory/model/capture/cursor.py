"""Up to where a transcript has been captured, and how to tell that it is still the same one."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

HEAD = 4_096
"""Bytes of a transcript's first line, at most, by which it is known again."""
TAIL = 4_096
"""Bytes before a cursor, at most, by which it is known that nothing was rewritten there."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a transcript that begins with a line of that hash. `offset` counts bytes, `line` the lines
    before it, `tail` is the hash of the bytes before it."""

    start: str
    offset: int
    line: int
    tail: str


def fingerprint(content: bytes) -> str:
    """The hash of a few bytes of a transcript."""
    return sha256(content).hexdigest()


def start_of(form: str, first_line: bytes) -> str:
    """By what a transcript is known: its form and its first line."""
    return fingerprint(form.encode() + b"\0" + first_line[:HEAD])
