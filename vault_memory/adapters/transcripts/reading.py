"""Reading the lines of a transcript from where the last capture ended, and no line that is too long."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, BinaryIO

from vault_memory.errors import StorageError
from vault_memory.model.capture.cursor import HEAD, TAIL, Cursor, fingerprint, start_of
from vault_memory.model.capture.formats import RECORDS, TEXT
from vault_memory.model.capture.plaintext import turns_of
from vault_memory.model.capture.turn import Turn
from vault_memory.model.halves import without_halves

LONGEST_LINE = 8 * 1024 * 1024
"""Bytes of a line that is looked at: pictures and whole files that tools read make longer ones."""
MOST_BYTES = 256 * 1024 * 1024
"""So much is read in one go; the next capture goes on from there."""


@contextmanager
def disk_errors(name: str) -> Iterator[None]:
    """Turn what the system says while reading into `StorageError`."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StorageError(
            name, reason, wanted="read", hint="the next capture goes on from where this one began"
        ) from error


def record_of(line: bytes) -> dict[str, Any] | None:
    """The JSON object in a line, `None` where there is none."""
    try:
        found = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class TranscriptReading:
    """One transcript that is open; what is read of it counts up to the last whole line."""

    def __init__(self, name: str, stream: BinaryIO, form: str, size: int) -> None:
        self.form = form
        self.session: str | None = None
        self.broken = 0
        self.bytes_left = 0
        self._name = name
        self._stream = stream
        self._size = size
        self._offset = 0
        self._line = 0
        with disk_errors(name):
            stream.seek(0)
            first = stream.readline(HEAD)
            stream.seek(0)
        self.start = start_of(form, first.rstrip(b"\r\n"))
        self._note_session(first)

    def holds(self, cursor: Cursor) -> bool:
        """Whether it is the same up to there."""
        return (
            cursor.start == self.start
            and cursor.offset <= self._size
            and self._tail(cursor.offset) == cursor.tail
        )

    def turns(self, after: Cursor | None) -> Iterator[Turn]:
        """The turns behind the cursor, read as they are asked for."""
        if after is not None:
            self._offset, self._line = after.offset, after.line
        if self.form == TEXT:
            lines = (
                (number, line.decode("utf-8", "replace").rstrip("\r\n")) for number, line in self._lines()
            )
            yield from map(_whole, turns_of(lines))
            return
        row = RECORDS[self.form]
        for number, line in self._lines():
            record = record_of(line)
            if record is None:
                self.broken += bool(line.strip())
                continue
            self.session = self.session or row.session(record)
            yield from map(_whole, row.turns(record, number))

    def cursor(self) -> Cursor:
        """The place up to which whole lines were read."""
        return Cursor(self.start, self._offset, self._line, self._tail(self._offset))

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The whole lines with their numbers. One without an end yet is left, unless it is a record."""
        end = self._offset + MOST_BYTES
        with disk_errors(self._name):
            self._stream.seek(self._offset)
            while self._offset < end:
                line = self._stream.readline(LONGEST_LINE)
                if not line:
                    return
                size, ended = len(line), line.endswith(b"\n")
                while not ended and len(line) == LONGEST_LINE:
                    more = self._stream.readline(LONGEST_LINE)
                    size, ended = size + len(more), more.endswith(b"\n") or not more
                if not ended and self.form != TEXT and record_of(line) is None:
                    return
                self._offset += size
                self._line += 1
                if size > LONGEST_LINE:
                    self.broken += 1
                else:
                    yield self._line, line
            self.bytes_left = max(self._size - self._offset, 0)

    def _tail(self, offset: int) -> str:
        with disk_errors(self._name):
            self._stream.seek(max(offset - TAIL, 0))
            return fingerprint(self._stream.read(min(offset, TAIL)))

    def _note_session(self, first: bytes) -> None:
        record = record_of(first) if self.form in RECORDS else None
        self.session = RECORDS[self.form].session(record) if record is not None else None


def _whole(turn: Turn) -> Turn:
    return replace(turn, text=without_halves(turn.text))
