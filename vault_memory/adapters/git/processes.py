"""The system's list of processes, as far as it tells of gits (on Linux); elsewhere there seem to be none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

PROCESSES = "/proc"


def gits() -> Iterator[str]:
    """The numbers of the processes that are called git."""
    try:
        names = os.listdir(PROCESSES)
    except OSError:
        return
    yield from (name for name in names if name.isdecimal() and is_git(name))


def is_git(process: str) -> bool:
    """Whether it is called git."""
    return (read(process, "comm") or b"").strip() == b"git"


def ancestors() -> list[str]:
    """This process and those that started it, the nearest first."""
    found: list[str] = []
    process: str | None = str(os.getpid())
    while process is not None and process not in found:
        found.append(process)
        parts = _stat(process)
        process = parts[1].decode("ascii") if len(parts) > 1 else None
    return found


def age_of(process: str) -> float | None:
    """The seconds since it was started."""
    try:
        since_boot = float((read("", "uptime") or b"").split()[0])
        return max(0.0, since_boot - int(_stat(process)[19]) / os.sysconf("SC_CLK_TCK"))
    except (IndexError, ValueError, OSError):
        return None


def read(process: str, name: str) -> bytes | None:
    """What the system says under that name of a process."""
    with suppress(OSError), open(f"{PROCESSES}/{process}/{name}", "rb") as file:
        return file.read()
    return None


def _stat(process: str) -> list[bytes]:
    """Its figures behind its name, which may hold anything."""
    return (read(process, "stat") or b"").rpartition(b")")[2].split()
