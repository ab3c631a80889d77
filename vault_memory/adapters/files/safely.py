"""Opening a file of ours in the local folder: never through a link, and without waiting at a pipe."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)


@contextmanager
def opened(file: Path | str, flags: int = os.O_RDONLY) -> Iterator[int]:
    """The number of the open file; one that is made is its owner's alone. Raises `OSError`."""
    number = os.open(file, flags | _SAFE, 0o600)
    try:
        yield number
    finally:
        os.close(number)
