"""Reading the index, and building it anew where reading finds it damaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from zoneinfo import ZoneInfo

from vault_memory.errors import IndexDamagedError
from vault_memory.ops.refresh import rebuild
from vault_memory.ports import Ports, Progress

T = TypeVar("T")

MENDED = "the search index was damaged and has been built anew from the files"


def mended(
    ports: Ports, zone: ZoneInfo, read: Callable[[tuple[str, ...]], T], *, wait: float, progress: Progress
) -> T:
    """What `read` gives; it is called again, with a word for the caller, if the index was damaged.

    The index is derived from the files, so nothing is lost with it but time.
    """
    try:
        return read(())
    except IndexDamagedError:
        rebuild(ports, zone, wait=wait, progress=progress)
        return read((MENDED,))
