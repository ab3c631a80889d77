"""Results to stdout, all else to stderr; text for people or JSON for programs."""

from __future__ import annotations

import json as json_format
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vault_memory.errors import AmbiguousRefError, ConflictError, VmemError

if TYPE_CHECKING:
    from rich.progress import TaskID

    from vault_memory.vault import Progress


@dataclass(frozen=True, slots=True)
class Output:
    """How to answer: as JSON or text, with or without colour, and how wide."""

    json: bool = False
    colour: bool = False
    width: int = 80

    @classmethod
    def of_terminal(cls, *, no_colour: bool) -> Output:
        """As stdout allows: colour on a terminal only; 100 columns where there is none."""
        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size((100, 24)).columns if terminal else 100
        return cls(colour=terminal and not no_colour, width=width)

    def result(self, text: str) -> None:
        """Print a result for a person; an empty one prints nothing."""
        if text:
            sys.stdout.write(text if text.endswith("\n") else text + "\n")

    def raw(self, content: bytes) -> None:
        """Print bytes as they are."""
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()

    def value(self, value: object) -> None:
        """Print a result for a program: one JSON value, UTF-8 as it is."""
        sys.stdout.write(json_format.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def warn(self, text: str) -> None:
        """Say something that is not the result."""
        sys.stderr.write(f"vmem: {text}\n")

    def warn_all(self, notices: tuple[str, ...]) -> None:
        """Say each of these; in JSON they are part of the value."""
        if not self.json:
            for notice in notices:
                self.warn(notice)

    def error(self, error: VmemError) -> int:
        """Print an error with its next step; its exit code."""
        if self.json:
            sys.stderr.write(
                json_format.dumps({"error": _error_value(error)}, ensure_ascii=False, indent=2) + "\n"
            )
            return error.exit_code
        lines = [f"vmem: {error.message}"]
        if isinstance(error, AmbiguousRefError):
            lines[-1] += ":"
            lines += [f"  {short or '-':<8}  {title}  {path}" for short, title, path in error.candidates]
        if error.hint:
            lines.append(f"      {error.hint}")
        sys.stderr.write("\n".join(lines) + "\n")
        return error.exit_code

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A progress bar on stderr for work of over a second; none where nobody watches."""
        if self.json or not sys.stderr.isatty():
            yield _nobody_watches
            return
        bar = _Bar()
        try:
            yield bar.show
        finally:
            bar.close()


def _error_value(error: VmemError) -> dict[str, object]:
    value: dict[str, object] = {
        "kind": type(error).__name__,
        "message": error.message,
        "hint": error.hint,
        "exit_code": error.exit_code,
    }
    if isinstance(error, AmbiguousRefError):
        value["candidates"] = [
            {"id": short, "title": title, "path": path} for short, title, path in error.candidates
        ]
    if isinstance(error, ConflictError):
        value |= {"path": error.path, "expected": error.expected, "found": error.found}
    return value


def _nobody_watches(what: str, done: int, total: int) -> None:
    """In place of a bar."""


class _Bar:
    """rich's progress bar, made when the first piece of long work reports."""

    def __init__(self) -> None:
        self._progress: object | None = None
        self._tasks: dict[str, TaskID] = {}

    def show(self, what: str, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress as RichProgress

        if self._progress is None:
            self._progress = RichProgress(console=Console(stderr=True), transient=True)
            self._progress.start()
        assert isinstance(self._progress, RichProgress)
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)

    def close(self) -> None:
        from rich.progress import Progress as RichProgress

        if isinstance(self._progress, RichProgress):
            self._progress.stop()
