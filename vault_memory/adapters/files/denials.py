"""What agents were refused: lines of JSON in a log of the local folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.files.local import ensure_local
from vault_memory.adapters.files.rotated import RotatedLog

if TYPE_CHECKING:
    from vault_memory.model.denied import Denied

NAME = "denied.log"
LARGEST = 128 * 1024
"""Bytes of each of its two files: about a thousand refusals."""


class DenialFiles:
    """Of the vault whose local folder this is."""

    def __init__(self, local: Path) -> None:
        self._local = local
        self._log = RotatedLog(local / NAME, LARGEST)

    def note(self, one: Denied) -> None:
        """Keep it, where the disk takes it."""
        from vault_memory.model.denied import line_of  # here: hardly a process ever needs it

        with suppress(OSError):
            ensure_local(os.fsencode(self._local))
            self._log.add(line_of(one).encode("ascii"))

    def kept(self) -> Sequence[Denied]:
        """Those of both files; what is no line of ours is passed over."""
        from vault_memory.model.denied import denied_from

        found = map(denied_from, self._log.lines())
        return [one for one in found if one is not None]
