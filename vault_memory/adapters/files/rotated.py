"""A log that never grows: lines are added to a file, and a full one takes the place of the one before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from vault_memory.adapters.files.safely import opened


class RotatedLog:
    """The log in `file` and, before that, in `file.1`; each of at most `largest` bytes."""

    def __init__(self, file: Path, largest: int) -> None:
        self._file = file
        self._before = file.with_name(f"{file.name}.1")
        self._largest = largest

    def add(self, line: bytes) -> None:
        """Add a line, at once: two processes that do so together don't mix theirs. Raises `OSError`."""
        with suppress(FileNotFoundError):
            if os.lstat(self._file).st_size + len(line) > self._largest:
                os.replace(self._file, self._before)
        with opened(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND) as number:
            os.write(number, line)

    def lines(self) -> Iterator[str]:
        """The lines of both, the oldest first, as far as they can be read."""
        for file in (self._before, self._file):
            with suppress(OSError):
                with opened(file) as number:
                    content = os.read(number, 2 * self._largest)
                yield from content.decode("utf-8", "replace").splitlines()
