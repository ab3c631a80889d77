"""The least that a durable write costs on this disk: what every figure is held against."""

from __future__ import annotations

import os
import time
from pathlib import Path

_CONTENT = b"x" * 1500
_TABLE = """
CREATE TABLE rows (
    number INTEGER PRIMARY KEY,
    text   TEXT NOT NULL
)
"""
_ADD = """
INSERT INTO rows (text)
VALUES (?)
"""


class Floor:
    """A folder where files are written durably, and a table in WAL mode with synchronous NORMAL."""

    def __init__(self, folder: Path) -> None:
        import apsw

        folder.mkdir()
        self._folder = os.fsencode(folder)
        self._count = 0
        self._table = apsw.Connection(os.fspath(folder / "rows.db"))
        self._table.pragma("journal_mode", "WAL")
        self._table.pragma("synchronous", "NORMAL")
        self._table.execute(_TABLE)

    def close(self) -> None:
        """Let go of the table; the folder stays."""
        self._table.close()

    def once(self) -> float:
        """Write a file (temp, fsync, rename, fsync of the folder) and a row; the milliseconds it took."""
        self._count += 1
        name = self._folder + b"/%d" % self._count
        started = time.perf_counter()
        fd = os.open(name + b".tmp", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(fd, _CONTENT)
        os.fsync(fd)
        os.close(fd)
        os.replace(name + b".tmp", name)
        folder = os.open(self._folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        self._table.execute(_ADD, ("y" * 300,))
        return (time.perf_counter() - started) * 1000
