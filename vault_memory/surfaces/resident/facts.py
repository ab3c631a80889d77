"""What a process can tell of itself."""

from __future__ import annotations

import os


def bytes_in_memory() -> int | None:
    """How much memory this process takes, `None` where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
