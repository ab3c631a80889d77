"""What another process costs, as its system tells it: memory, CPU time, and which processes are of a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
NOT_TOLD = "this system does not tell what another process costs"
_PATIENCE = 10.0


def memory_mb(pid: int) -> float | None:
    """The resident set in megabytes, `None` where it can't be told."""
    if sys.platform == "linux":
        with suppress(OSError):
            for line in (
                (_PROC / str(pid) / "status").read_text(encoding="ascii", errors="replace").splitlines()
            ):
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024 / 1_000_000
        return None
    told = _ps("rss=", pid)
    return int(told) * 1024 / 1_000_000 if told else None


def cpu_ms(pid: int) -> float | None:
    """Milliseconds of CPU that all its threads have used since its start, `None` where it can't be told."""
    if sys.platform == "linux":
        try:  # every process has such a clock, which `clock_getcpuclockid` would name
            return time.clock_gettime(~pid << 3 | 2) * 1000
        except OSError:
            return None
    told = _ps("time=", pid)
    return _clock_ms(told) if told else None


def born_of(mark: str) -> list[int]:
    """The processes of this user whose environment holds that text: those that were started by a run which
    put it there, and theirs. Empty where the system does not show an environment."""
    found = []
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return [pid for pid in found if pid != os.getpid()]


def end(pid: int) -> None:
    """Ask the process to end, and make it after some seconds; one that is gone is no fault."""
    until = time.monotonic() + _PATIENCE
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, sign)
        except ProcessLookupError:
            return
        while is_alive(pid) and time.monotonic() < until:
            time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Whether it runs; one that has ended and waits for its parent does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return " Z " not in (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return sys.platform != "linux"


def _ps(what: str, pid: int) -> str:
    ran = subprocess.run(["ps", "-o", what, "-p", str(pid)], capture_output=True, text=True, check=False)
    return ran.stdout.strip()


def _clock_ms(text: str) -> float:
    """`1-02:03:04.5` in milliseconds."""
    days, _, rest = text.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = seconds * 60 + float(part)
    return (int(days or 0) * 86_400 + seconds) * 1000
