"""The line of `.gitattributes` by which memories are merged as such."""

from __future__ import annotations

import re

LINE = "*.md merge=vmem"
_REMARK = "# Memories are merged by front matter key: vmem install merge"
_IS_IT = re.compile(rb"[ \t]*\*\.md[ \t]+merge=vmem[ \t]*")


def has_line(content: bytes | None) -> bool:
    """Whether it stands there."""
    return any(_IS_IT.fullmatch(line) for line in (content or b"").splitlines())


def with_line(content: bytes | None) -> bytes:
    """The file with it at the end, where a later line wins; as it was where it stands there."""
    if has_line(content):
        return content or b""
    before = content or b""
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    if before and not before.endswith(b"\n"):
        before += newline
    return before + _REMARK.encode() + newline + LINE.encode() + newline


def without_line(content: bytes) -> bytes:
    """The file without it and its remark; every other line as it was."""
    own = _REMARK.encode()
    lines = content.splitlines(keepends=True)
    return b"".join(
        line for line in lines if line.strip() != own and not _IS_IT.fullmatch(line.strip(b"\r\n"))
    )
