"""The resident's log: when it began and ended, and what went wrong; never a memory nor a question."""

from __future__ import annotations

import faulthandler
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import BinaryIO

from vault_memory.errors import VmemError
from vault_memory.vault import Clock

LARGEST = 256 * 1024
"""Bytes; when it grows beyond, its older half goes."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
_DEEP = 6
"""So many of the innermost places are named of a bug."""


def log_file(root: Path) -> Path:
    """Where it lies; the file need not exist."""
    return root / ".vmem" / "local" / "resident.log"


def open_log(root: Path) -> BinaryIO:
    """The file of the log, to be added to. Raises `OSError`."""
    return os.fdopen(os.open(log_file(root), _FLAGS, 0o600), "ab")


class Log:
    """The log of one vault's resident. What can't be written is left out: it is no reason to fail."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self._file = log_file(root)
        self._clock = clock
        self._mutex = threading.Lock()

    def note(self, text: str) -> None:
        """Add a line, with the time (UTC) and the number of the process."""
        at = self._clock.now().strftime("%Y-%m-%d %H:%M:%S")
        line = f"{at} {os.getpid()} {' '.join(text.split())}\n".encode("utf-8", "replace")
        with self._mutex:
            try:
                self._add(line)
            except OSError:
                return  # the vault may be unmounted, or the disk full

    def bug(self, verb: str, error: BaseException) -> None:
        """Add where a bug happened. Its message is left out: it may repeat what was asked or written."""
        frames = extract_tb(error.__traceback__)[-_DEEP:]
        places = " < ".join(f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in reversed(frames))
        self.note(f"bug in {verb}: {type(error).__name__} at {places}")

    def failed(self, what: str, error: VmemError) -> None:
        """Add why something of the resident's own could not be done."""
        self.note(f"{what}: {error.message}")

    @contextmanager
    def of_faults(self) -> Iterator[None]:
        """If the interpreter itself breaks down inside, the places where it did are written here."""
        try:
            opened = os.open(self._file, _FLAGS, 0o600)
        except OSError:
            yield
            return
        faulthandler.enable(opened)
        try:
            yield
        finally:
            faulthandler.disable()
            os.close(opened)

    def _add(self, line: bytes) -> None:
        opened = os.open(self._file, _FLAGS, 0o600)
        try:
            size = os.fstat(opened).st_size
            if size > LARGEST:
                os.lseek(opened, size - LARGEST // 2, os.SEEK_SET)
                rest = os.read(opened, LARGEST // 2)
                os.ftruncate(opened, 0)
                os.write(opened, rest[rest.find(b"\n") + 1 :])
            os.write(opened, line)
        finally:
            os.close(opened)


def last_lines(root: Path, count: int) -> list[str]:
    """The last lines of the log, oldest first; none where there is no log."""
    try:
        opened = os.open(log_file(root), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            size = os.fstat(opened).st_size
            os.lseek(opened, max(0, size - 2 * LARGEST), os.SEEK_SET)
            content = os.read(opened, 2 * LARGEST)
        finally:
            os.close(opened)
    except OSError:
        return []
    lines = content.decode("utf-8", "replace").splitlines()
    return lines[-count:] if count > 0 else []
