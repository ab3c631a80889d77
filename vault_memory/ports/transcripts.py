"""Transcripts of clients, how far each was captured, and a program that finds lessons in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from vault_memory.errors import NotFoundError
from vault_memory.model.capture.cursor import Cursor
from vault_memory.model.capture.turn import Turn


def no_transcript(place: Path) -> NotFoundError:
    """What to raise where there is none, or none for who asks."""
    return NotFoundError(f"there is no transcript at {place}", hint="vmem capture FILE")


class Reading(Protocol):
    """One transcript that is open."""

    form: str
    """The name of its form."""
    start: str
    """By what it is known, see `Cursor`."""
    session: str | None
    """The session that it names, as far as it was read."""
    broken: int
    """Lines so far that could not be read."""
    bytes_left: int
    """Bytes behind what was read that one capture does not come to."""

    def holds(self, cursor: Cursor) -> bool:
        """Whether it is the same up to there."""

    def turns(self, after: Cursor | None) -> Iterator[Turn]:
        """The turns behind the cursor, read as they are asked for."""

    def cursor(self) -> Cursor:
        """The place up to which whole lines were read."""


class Transcripts(Protocol):
    """Files anywhere, written by other programs and perhaps in this moment."""

    def reading(self, place: Path, form: str) -> AbstractContextManager[Reading]:
        """Open one; the form may be `auto`. Raises `NotFoundError`, `StorageError`, `FormatError`."""


class Cursors(Protocol):
    """Up to where transcripts were captured, for each agent. Survives all."""

    def of(self, agent: str, start: str) -> Sequence[Cursor]:
        """Those of transcripts that begin so, the farthest first."""

    def put(self, agent: str, place: str, cursor: Cursor) -> None:
        """Note it durably for the transcript at that place, in its last one's stead."""


class Distiller(Protocol):
    """A program of the person's own that finds lessons."""

    def distil(self, conversation: str) -> bytes:
        """What it answers to a conversation. Raises `DistillerError`."""
