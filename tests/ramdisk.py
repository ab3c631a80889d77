"""A folder in memory, where the system has a roomy one: a kill can't tell the difference, as a power cut
would, and waiting for a disk is much of what tests that write files do."""

from __future__ import annotations

import os
from pathlib import Path

_PLACE = Path("/dev/shm")
_ROOM = 2 << 30
"""Bytes; a container may have a few MB there."""


def in_memory() -> Path | None:
    """The folder; `None` where there is none, or it is too small, or no hook of git could run there."""
    if not (_PLACE.is_dir() and os.access(_PLACE, os.W_OK)):
        return None
    found = os.statvfs(_PLACE)
    return None if found.f_bavail * found.f_frsize < _ROOM or found.f_flag & os.ST_NOEXEC else _PLACE
