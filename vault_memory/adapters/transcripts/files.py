"""Opening a transcript that another program writes, whatever lies at its place."""

from __future__ import annotations

import errno
import io
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from vault_memory.adapters.transcripts.reading import (
    LONGEST_LINE,
    TranscriptReading,
    disk_errors,
    record_of,
)
from vault_memory.errors import FormatError, NotFoundError, StorageError
from vault_memory.model.capture import geminichat
from vault_memory.model.capture.formats import AUTO, NAMES, TEXT, format_of
from vault_memory.ports.transcripts import no_transcript

LARGEST_DOCUMENT = 64 * 1024 * 1024
"""Bytes of a transcript that is one JSON document, at most: it can't be read piece by piece."""
_LOOKED_AT = 30
"""So many of the first lines tell the form."""
_HEAD = 1024 * 1024
_NO_FILE = "name the transcript's own file"
_FORMS = f"--format says what it is: {', '.join(NAMES[1:])}"


class TranscriptFiles:
    """Files are opened for reading alone, and never waited for: a pipe is none."""

    @contextmanager
    def reading(self, place: Path, form: str) -> Iterator[TranscriptReading]:
        """Open one; the form may be `auto`. Raises `NotFoundError`, `StorageError`, `FormatError`."""
        with _opened(place) as file:
            with disk_errors(str(place)):
                reading = _reading(place, file, form)
            yield reading


@contextmanager
def _opened(place: Path) -> Iterator[BinaryIO]:
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    )
    try:
        number = os.open(place, flags)
    except (FileNotFoundError, NotADirectoryError):
        raise no_transcript(place) from None
    except ValueError as error:
        raise NotFoundError(f"there is no transcript at {str(place)!r}", hint="vmem capture FILE") from error
    except OSError as error:
        hint = "it is a link that leads in a circle" if error.errno == errno.ELOOP else _NO_FILE
        raise StorageError(
            str(place), (error.strerror or str(error)).lower(), wanted="read", hint=hint
        ) from error
    try:
        mode = os.fstat(number).st_mode
        if not stat.S_ISREG(mode):
            what = "it is a folder" if stat.S_ISDIR(mode) else "it is no file but a device, pipe or socket"
            raise StorageError(str(place), what, wanted="read", hint=_NO_FILE)
        with os.fdopen(os.dup(number), "rb") as file:
            yield file
    finally:
        os.close(number)


def _reading(place: Path, file: BinaryIO, form: str) -> TranscriptReading:
    size = os.fstat(file.fileno()).st_size
    document = _document(place, file, size) if form in (AUTO, "gemini") else None
    if document is not None:
        lines = geminichat.as_lines(document)
        return TranscriptReading(str(place), io.BytesIO(lines), "gemini", len(lines))
    if form == AUTO:
        form = _form_of(place, file)
    return TranscriptReading(str(place), file, form, size)


def _form_of(place: Path, file: BinaryIO) -> str:
    file.seek(0)
    lines = [line for _ in range(_LOOKED_AT) if (line := file.readline(LONGEST_LINE))]
    if not b"".join(lines).strip():
        return TEXT  # there is nothing in it yet
    records = [record for line in lines if (record := record_of(line)) is not None]
    file.seek(0)
    start = file.read(_HEAD).decode("utf-8", "replace").splitlines()
    form = format_of(records, start)
    if form is None:
        raise FormatError(f"{place} is no transcript in any form that is known", hint=_FORMS)
    return form


def _document(place: Path, file: BinaryIO, size: int) -> dict[str, Any] | None:
    """The whole file, where it is one JSON document with a conversation in it."""
    file.seek(0)
    if not file.read(256).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    file.seek(0)
    first = record_of(file.readline(LONGEST_LINE))
    if first is not None and "messages" not in first:
        return None
    if size > LARGEST_DOCUMENT:
        if first is None:
            return None
        raise FormatError(
            f"{place} is one JSON document of {size:,} bytes; at most {LARGEST_DOCUMENT:,} are read",
            hint="capture it earlier, or save the conversation as plain text",
        )
    file.seek(0)
    try:
        found = json.loads(file.read(LARGEST_DOCUMENT))
    except (ValueError, RecursionError):
        return None
    return found if geminichat.is_document(found) else None
