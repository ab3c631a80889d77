"""Results to stdout, all else to stderr; text for people or JSON for programs."""

from __future__ import annotations

import json as json_format
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from vault_memory.errors import AmbiguousRefError, ConflictError, VmemError
from vault_memory.model import wireerror
from vault_memory.model.ids import short_apart
from vault_memory.plugins import without_secrets
from vault_memory.render.style import cells, filled, harmless
from vault_memory.surfaces.cli.streams import Streams

if TYPE_CHECKING:
    from rich.progress import TaskID

    from vault_memory.vault import Progress

SOON = 0.5
"""Seconds: what is done by then shows no bar."""


@dataclass(frozen=True, slots=True)
class Output:
    """Where and how to answer: as JSON or text, with or without colour, and how wide."""

    streams: Streams
    json: bool = False
    colour: bool = False

    @classmethod
    def to(cls, streams: Streams, *, json: bool, no_colour: bool) -> Output:
        """As stdout allows: colour on a terminal only."""
        return cls(streams, json, streams.terminal.stdout and not no_colour)

    @property
    def width(self) -> int:
        """Columns of a line."""
        return self.streams.terminal.columns

    def result(self, text: str) -> None:
        """Print a result for a person; an empty one prints nothing."""
        if text:
            self.streams.stdout.write(text if text.endswith("\n") else text + "\n")

    def raw(self, content: bytes) -> None:
        """Print bytes as they are; on a terminal without the characters that would steer it."""
        if self.streams.terminal.stdout:
            text = content.decode("utf-8", "replace").replace("\r\n", "\n")
            self.result("\n".join(harmless(line.replace("\t", "    ")) for line in text.split("\n")))
            return
        stdout = self.streams.stdout
        stdout.flush()
        stdout.buffer.write(content)
        stdout.buffer.flush()

    def value(self, value: object) -> None:
        """Print a result for a program: one JSON value, UTF-8 as it is."""
        self.streams.stdout.write(_as_json(value))

    def line(self, value: object) -> None:
        """The same on one line, of several values that follow one another; written at once."""
        self.streams.stdout.write(_as_json(value, indent=None))
        self.streams.stdout.flush()

    def warn(self, text: str) -> None:
        """Say something that is not the result."""
        self.say(f"vmem: {harmless(text)}\n")

    def say(self, lines: str) -> None:
        """Write whole lines to stderr."""
        self.streams.stderr.write(lines)

    def warn_all(self, notices: tuple[str, ...]) -> None:
        """Say each of these; in JSON they are part of the value."""
        if not self.json:
            for notice in notices:
                self.warn(notice)

    def error(self, error: VmemError) -> int:
        """Print an error with its next step; its exit code."""
        # A message may repeat what was typed, and what is typed by mistake can be a secret.
        message, hint = without_secrets(error.message), without_secrets(error.hint or "")
        if self.json:
            value = {**wireerror.error(error), "message": message, "hint": hint or None}
            self.say(_as_json({"error": value}))
            return error.exit_code
        lines = [f"vmem: {message}"]
        if isinstance(error, AmbiguousRefError):
            lines[-1] += ":"
            lines += _candidates(error.candidates)
        if isinstance(error, ConflictError) and error.expected and error.found:
            lines.append(f"      version now: {error.found}")
        if hint:
            lines.append(f"      {hint}")
        shown = "\n".join(lines).split("\n")
        self.say("".join(f"{harmless(line)}\n" for line in shown))
        return error.exit_code

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A progress bar on stderr for work of over half a second; none where nobody watches."""
        if self.json or not (self.streams.terminal.stderr and self.streams.own):
            yield _nobody_watches
            return
        bar = _Bar()
        try:
            yield bar.show
        finally:
            bar.close()


_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What would steer a terminal, or is no text in UTF-8; JSON itself lets it stand as it is."""


def _as_json(value: object, *, indent: int | None = 2) -> str:
    text = json_format.dumps(value, ensure_ascii=False, indent=indent)
    # Outside of strings JSON holds none of these characters, so inside they may be written as \uXXXX.
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


_WIDEST = 100
"""Columns that a title may make all others as wide as."""


def _candidates(candidates: Sequence[tuple[str, str, str]]) -> list[str]:
    """As much of each id as tells them apart, title and path, in columns."""
    ids = [harmless(one) or "-" for one in short_apart([memory_id for memory_id, _, _ in candidates])]
    titles = [harmless(title) for _, title, _ in candidates]
    widths = min(max(map(cells, ids)), _WIDEST), min(max(map(cells, titles)), _WIDEST)
    return [
        f"  {filled(memory_id, widths[0])}  {filled(title, widths[1])}  {path}"
        for memory_id, title, (_, _, path) in zip(ids, titles, candidates, strict=True)
    ]


def _nobody_watches(what: str, done: int, total: int) -> None:
    """In place of a bar."""


class _Bar:
    """rich's progress bar, made when work that takes long already reports."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._progress: object | None = None
        self._tasks: dict[str, TaskID] = {}

    def show(self, what: str, done: int, total: int) -> None:
        if self._progress is None and monotonic() - self._began < SOON:
            return  # a bar that flashes up says nothing, and rich takes time to load
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
