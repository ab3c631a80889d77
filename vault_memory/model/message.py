"""Commit messages: one line for people, trailers for programs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vault_memory.model.clip import clip_words, one_line
from vault_memory.model.revision import Op

MAX_SUBJECT = 72
MAX_BYTES = 1_000_000
"""So much room the lines of a commit of many files take, ten thousand of them or so."""
UNTITLED = "(untitled)"

MEMORY_ID = "Memory-Id"
SOURCE_AGENT = "Source-Agent"
VMEM_OP = "Vmem-Op"
VMEM_UNDOES = "Vmem-Undoes"

_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*:[ \t]*(.*)")
_CHERRY_PICKED = "(cherry picked from commit "


def commit_message(
    op: Op, title: str, *, memory_id: str | None = None, agent: str | None = None, undoes: str | None = None
) -> str:
    """The message of one operation's commit. `undoes` is the full hash of a commit.

    Every part is forced onto one line, so no title, id or agent can forge a trailer.
    """
    subject = clip_words(f"{op.value}: {one_line(title) or UNTITLED}", MAX_SUBJECT, ellipsis="…")
    trailers = ((MEMORY_ID, memory_id), (SOURCE_AGENT, agent), (VMEM_OP, op.value), (VMEM_UNDOES, undoes))
    lines = [f"{key}: {one_line(value)}" for key, value in trailers if value and one_line(value)]
    return "\n".join((subject, "", *lines, ""))


def batch_message(op: Op, what: str, files: Sequence[str], *, agent: str | None = None) -> str:
    """The message of one commit of many files: what was done, a line a file, and the trailers.

    Each line is indented, so that no path or title can forge a trailer. Lines past a million bytes
    are only counted.
    """
    subject, _, trailers = commit_message(op, what, agent=agent).partition("\n\n")
    lines = _within([f"  {one_line(file)}" for file in files])
    return "\n\n".join((subject, *(["\n".join(lines)] if lines else []), trailers))


def _within(lines: list[str]) -> list[str]:
    room = MAX_BYTES
    for at, line in enumerate(lines):
        room -= len(line.encode("utf-8", "replace")) + 1
        if room < 0:
            return [*lines[:at], f"  and {len(lines) - at:,} more, which the commit itself names"]
    return lines


def subject_of(message: str) -> str:
    """The first line of a message."""
    return message.partition("\n")[0]


def parse_trailers(message: str) -> dict[str, str]:
    """The trailers of a message: the `Key: value` lines of its last paragraph, the first of a key.

    Empty where the last paragraph is the subject, or holds anything else than trailers.
    """
    paragraphs = re.split(r"\n[ \t]*\n", message.replace("\r\n", "\n").strip())
    if len(paragraphs) < 2:  # a subject and nothing below it
        return {}
    found: dict[str, str] = {}
    last = ""
    for line in paragraphs[-1].split("\n"):
        trailer = _TRAILER.fullmatch(line)
        if trailer:
            last = trailer[1]
            found.setdefault(last, trailer[2].strip())
        elif line.startswith((" ", "\t")) and last:
            found[last] = f"{found[last]} {line.strip()}"
        elif not line.startswith(_CHERRY_PICKED):
            return {}
    return found
