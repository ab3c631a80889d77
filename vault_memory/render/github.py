"""Commands of a workflow's log, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from vault_memory.render.style import harmless


def annotation(level: str, file: str, line: int, title: str, message: str) -> str:
    """One command; `level` is error, warning or notice, `file` counts from the repository's root."""
    return f"::{level} file={_property(file)},line={line},title={_property(title)}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return harmless(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
