"""Making written files durable together: one wait of the disk where one for each would be a dozen."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable

from vault_memory.adapters.git.locate import Place


def sync_files(paths: Iterable[str]) -> None:
    """Wait until every file that is there has reached the disk."""
    with contextlib.ExitStack() as stack:
        files = []
        for path in paths:
            try:
                fd = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                continue
            stack.callback(os.close, fd)
            files.append(fd)
        # Writing begins for all before the wait for the first, which then ends it for the others too.
        if hasattr(os, "posix_fadvise"):
            for fd in files:
                os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        for fd in files:
            os.fsync(fd)


def sync_folder(folder: str) -> None:
    """Make a rename in the folder durable."""
    try:
        fd = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def object_file(place: Place, oid: str) -> str:
    """Where a loose object lies; one that is in a pack has no such file."""
    return os.path.join(place.commondir, "objects", oid[:2], oid[2:])
