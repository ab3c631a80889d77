"""What the figures were measured on: processor, system, file system and versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from pathlib import Path

import vault_memory
from vault_memory.config import environ
from vault_memory.errors import GitError


def facts(folder: Path) -> dict[str, object]:
    """Facts of this machine; `folder` lies on the disk that was measured."""
    import apsw

    return {
        "vmem": vault_memory.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "file_system": file_system(folder),
        "git": _git_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "pygit2": importlib.metadata.version("pygit2"),
        "numpy": importlib.metadata.version("numpy"),
    }


def file_system(folder: Path) -> str:
    """The kind of file system that holds the folder, in the kernel's word; only Linux tells."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return "unknown"
    best = ("", "unknown")
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        _, place, kind, *_ = line.split(" ")
        if len(place) >= len(best[0]) and folder.resolve().is_relative_to(place):
            best = (place, kind)
    return best[1]


def peak_bytes() -> int:
    """The most memory that this process ever held.

    Not `ru_maxrss` on Linux: there a child begins with the peak of the process that started it.
    """
    import resource

    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _git_version() -> str:
    try:
        ran = subprocess.run(
            ["git", "--version"],
            env=environ.clean_git_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
    except FileNotFoundError as error:
        raise GitError(
            "git is not installed", hint="install it: the vaults of bench are repositories"
        ) from error
    return ran.stdout.removeprefix("git version").strip()
