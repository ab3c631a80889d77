"""A file that vmem writes for another program, with a first line by which it knows it again, unchanged."""

from __future__ import annotations

import hashlib
import re

_MARK = re.compile(rb"[^\n]*written by vmem install ([a-z]+), ([0-9a-f]{16})[^\n]*\n", re.IGNORECASE)


def signed(body: str, name: str, *, before: str = "# ", behind: str = "") -> bytes:
    """The file: a comment that names its maker and the check sum of the rest, then `body`.

    `before` and `behind` are what makes a line a comment.
    """
    head = f"{before}Written by vmem install {name}, {_sum(body.encode())}; who changes it keeps it.{behind}"
    return f"{head}\n{body}".encode()


def is_unchanged(content: bytes, name: str) -> bool:
    """Whether `vmem install NAME`, of this version or another, wrote the file just as it is.

    Line ends don't count: git may have changed them.
    """
    content = content.replace(b"\r\n", b"\n")
    found = _MARK.match(content)
    return (
        found is not None and found[1].decode() == name and found[2].decode() == _sum(content[found.end() :])
    )


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
