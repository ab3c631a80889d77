"""The folder `.vmem/local/`: what is of this machine alone, made anew whenever it was deleted."""

from __future__ import annotations

import os

from vault_memory.adapters.files.atomic import sync_folder

MARK = ".vmem"
"""The folder of ours at the root of a vault."""
LOCAL = ".vmem/local"
"""What git ignores and what may be deleted."""


def ensure_local(place: bytes) -> bool:
    """Create the local folder at `place`, closed to other users, where it is missing; whether it was."""
    try:
        os.mkdir(place, 0o700)
    except FileExistsError:
        return False
    sync_folder(os.path.dirname(place))
    return True
