"""Where a command reads and writes: the streams of this process, or of somebody it is carried out for."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, TextIO, cast

NO_TERMINAL = 100
"""Columns where there is no terminal."""


class Unfit(Exception):  # noqa: N818 - no fault: the caller does it by themselves
    """This call needs its caller's own process, a terminal or an editor; nothing has been done."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Which of the three streams are a terminal, and how many columns it has."""

    stdin: bool = False
    stdout: bool = False
    stderr: bool = False
    columns: int = NO_TERMINAL


@dataclass(frozen=True, slots=True)
class Streams:
    """What a command reads and writes. `stdout.buffer` takes bytes; `stdin` is called by what reads it.

    `own`: they are this process' own, so that programs it starts and libraries that ask a person have
    them too.
    """

    stdin: Callable[[], BinaryIO]
    stdout: TextIO
    stderr: TextIO
    terminal: Terminal = Terminal()
    own: bool = False

    @classmethod
    def of_process(cls) -> Streams:
        """Those of this process."""
        at_stdout = sys.stdout.isatty()
        terminal = Terminal(
            sys.stdin.isatty(),
            at_stdout,
            sys.stderr.isatty(),
            shutil.get_terminal_size((NO_TERMINAL, 24)).columns if at_stdout else NO_TERMINAL,
        )
        return cls(lambda: sys.stdin.buffer, sys.stdout, sys.stderr, terminal, own=True)

    def silence(self) -> None:
        """Point stdout elsewhere, so that Python's own flush at exit does not complain."""
        if self.own:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())


class Recorded:
    """What a command writes, in its order: `said` holds pairs of 1 (stdout) or 2 (stderr), and bytes."""

    def __init__(self) -> None:
        self.said: list[tuple[int, bytes]] = []

    def streams(self, stdin: Callable[[], bytes], terminal: Terminal) -> Streams:
        """Streams that write here; `stdin` is called once, by a command that reads it."""
        return Streams(lambda: io.BytesIO(stdin()), self._writing(1), self._writing(2), terminal, own=False)

    def _writing(self, number: int) -> TextIO:
        into = cast("BinaryIO", _Part(number, self.said))
        return io.TextIOWrapper(
            into, encoding="utf-8", errors="surrogateescape", newline="", write_through=True
        )


class _Part(io.RawIOBase):
    """One of the streams that are recorded together."""

    def __init__(self, number: int, said: list[tuple[int, bytes]]) -> None:
        self._number = number
        self._said = said

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]  # of a buffer that is only bytes here
        if self._said and self._said[-1][0] == self._number:
            content = self._said.pop()[1] + bytes(content)
        self._said.append((self._number, bytes(content)))
        return len(content)
