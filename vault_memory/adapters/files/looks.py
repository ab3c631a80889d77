"""Who has seen what of the vault: a small file for each caller in the local folder."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors
from vault_memory.adapters.files.local import ensure_local
from vault_memory.adapters.files.safely import opened
from vault_memory.model.looked import Looked, looked_text, read_looked
from vault_memory.model.namespace import file_of_caller

FOLDER = "looked"
"""The folder below `.vmem/local/`."""
_MOST_BYTES = 16 * 1024
"""More than `MOST` sessions with the longest tokens take."""


class LookFiles:
    """A file's first line is the token. It is written in place and waits for no disk: where a crash takes it,
    the next look is a first one. Of two sessions that begin at the same moment one may not be remembered."""

    def __init__(self, local: Path) -> None:
        self._folder = local / FOLDER

    def of(self, agent: str | None) -> Looked:
        """What was noted last; nothing where there is none or it can't be read."""
        with suppress(OSError, UnicodeDecodeError), opened(self._of(agent)) as file:
            return read_looked(os.read(file, _MOST_BYTES).decode("ascii"))
        return Looked()

    def note(self, agent: str | None, looked: Looked) -> None:
        """Note it in place of that. Raises `StorageError`."""
        target, lines = self._of(agent), looked_text(looked).encode("ascii")
        with disk_errors(str(target), "write"):
            ensure_local(os.fsencode(self._folder.parent))
            with suppress(FileExistsError):
                self._folder.mkdir(mode=0o700)
            with opened(target, os.O_WRONLY | os.O_CREAT) as file:
                os.write(file, lines)  # at once, so that nobody reads the half of two
                os.ftruncate(file, len(lines))

    def _of(self, agent: str | None) -> Path:
        """The caller's file. Raises `UnsafePathError` for a name that no agent has."""
        return self._folder / file_of_caller(agent)
