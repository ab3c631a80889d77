"""What kind of disk a folder lies on."""

from __future__ import annotations

import os
from pathlib import Path

from vault_memory.model.mounts import file_system, is_network

_MOUNTS = "/proc/self/mountinfo"


def network_disk(folder: Path, *, mountinfo: str | None = None) -> str | None:
    """The type of the network disk that holds a folder (`nfs4`); `None` for a disk of this machine, and
    where the system does not tell. `mountinfo` stands in for the system's own list."""
    kind = file_system_of(folder, mountinfo=mountinfo)
    return kind if kind is not None and is_network(kind) else None


def file_system_of(folder: Path, *, mountinfo: str | None = None) -> str | None:
    """The type of the file system that holds a folder, `None` where the system does not tell."""
    text = _mounts() if mountinfo is None else mountinfo
    return file_system(os.path.realpath(folder), text)


def _mounts() -> str:
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:  # another system than Linux
        return ""
