"""The resident of the vault as it is seen from outside: its number, its weight, and its end."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.said import SilenceError, said

_PROC = Path("/proc")


@dataclass(slots=True)
class Resident:
    """Whoever answers at the vault's socket, one after the other as they are killed."""

    root: Path
    weights: dict[int, list[tuple[float, int, int]]] = field(default_factory=dict)
    """Of each process: (seconds, kilobytes, memories in the vault)."""
    killed: int = 0

    def pid(self) -> int | None:
        """The process that answers now."""
        try:
            answer = said(self.root, "state")
        except SilenceError:
            return None
        return None if answer is None or "value" not in answer else int(answer["value"]["pid"])

    def stop(self) -> None:
        """Ask it to end."""
        with suppress(SilenceError):
            said(self.root, "stop")

    def weigh(self, memories: int) -> None:
        """Note how much memory it takes now (where the system can tell)."""
        pid = self.pid()
        if pid is not None and (found := kilobytes(pid)) is not None:
            self.weights.setdefault(pid, []).append((time.monotonic(), found, memories))

    def kill(self) -> bool:
        """End it at once; whether there was one."""
        pid = self.pid()
        if pid is None:
            return False
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        self.killed += 1
        return True

    def lives(self) -> list[int]:
        """Processes that have answered once and are there still."""
        return [pid for pid in self.weights if kilobytes(pid) is not None]


def kilobytes(pid: int) -> int | None:
    """The resident memory of a process, `None` where it is no more."""
    try:
        lines = (_PROC / str(pid) / "status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), None)
