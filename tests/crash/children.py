"""Processes of a test's own: forked to do one thing, and what they said before their end."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Tell = Callable[[str], object]

_PROC = Path("/proc")


@dataclass(slots=True)
class Child:
    """A forked process that tells its parent things; `out` is all that has been heard of it."""

    pid: int
    pipe: int
    out: bytes = b""
    killed: bool = False
    _taken: int = 0

    def lines(self) -> list[str]:
        """The whole lines told since the last time; waits until there is anything, or the end."""
        self.out += os.read(self.pipe, 1 << 20)
        end = self.out.rfind(b"\n") + 1
        fresh, self._taken = self.out[self._taken : end], max(end, self._taken)
        return fresh.decode().splitlines()

    def join(self) -> list[str]:
        """Wait for its end; its last lines. `ChildProcessError` unless it ended well or was killed."""
        lines: list[str] = []
        while True:
            before = len(self.out)
            lines += self.lines()
            if len(self.out) == before:
                break
        os.close(self.pipe)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.killed = code == -signal.SIGKILL
        if code and not self.killed:
            raise ChildProcessError(f"a child ended with {code}: {self.out.decode()}")
        return lines

    def kill(self) -> list[str]:
        """End it at once; its last lines."""
        os.kill(self.pid, signal.SIGKILL)
        return self.join()


def begin(act: Callable[[Tell], object]) -> Child:
    """Carry out in a forked process, which may `tell` at any time."""
    reading, writing = os.pipe()
    # The very functions, since the child may exchange them for others.
    write, leave = os.write, os._exit
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        code = 1
        try:
            act(lambda said: write(writing, said.encode()))
            code = 0
        except BaseException:  # noqa: BLE001 - the parent raises it
            write(writing, traceback.format_exc().encode())
        leave(code)
    os.close(writing)
    return Child(pid, reading)


def in_child(act: Callable[[Tell], object]) -> Child:
    """The same, waited for."""
    child = begin(act)
    child.join()
    return child


def processes_in(folder: Path) -> list[int]:
    """The processes that work in a folder or below, but this one (where the system can tell)."""
    found = []
    for entry in _PROC.glob("[0-9]*"):
        try:
            at = (entry / "cwd").readlink()
        except OSError:  # gone, or another user's
            continue
        if at.is_relative_to(folder) and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


def wait_for_orphans(folder: Path, seconds: float = 20.0) -> bool:
    """Wait until what a killed process had started in a folder is done; whether there was anything."""
    deadline = time.monotonic() + seconds
    waited = False
    while processes_in(folder):
        waited = True
        if time.monotonic() > deadline:
            raise TimeoutError(f"processes still work in {folder}: {processes_in(folder)}")
        time.sleep(0.005)
    return waited
