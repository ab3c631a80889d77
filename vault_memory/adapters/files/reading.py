"""Reading one file whole: never through a link, never blocking, never half of two versions."""

from __future__ import annotations

import errno
import os
import time
from dataclasses import dataclass

from vault_memory.adapters.files.place import kind_of
from vault_memory.errors import StorageError

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_PAUSES = (0.0, 0.002, 0.01, 0.05, 0.1)
"""Seconds before each attempt; someone who saves in place is done long before the last."""
_HINT_CHANGING = "wait until the program that writes it is done"


@dataclass(frozen=True, slots=True)
class Contents:
    """A regular file's bytes with what `fstat` said of it before and after."""

    status: os.stat_result
    content: bytes


def read_whole(place: bytes, shown: str, *, max_bytes: int) -> Contents | None:
    """The file's bytes, `None` where nothing is there.

    Raises `StorageError` where there is no regular file, it is larger than `max_bytes` or keeps
    changing, and `OSError` as the system does. Errors name `shown`.
    """
    for pause in _PAUSES:
        if pause:
            time.sleep(pause)
        try:
            # Opening a device can do things and a socket can't be opened, hence the look before.
            _check_kind(os.lstat(place), shown, max_bytes)
            fd = os.open(place, _FLAGS)
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            before = os.fstat(fd)
            _check_kind(before, shown, max_bytes)
            content = _read_all(fd, before.st_size)
            after = os.fstat(fd)
        finally:
            os.close(fd)
        if len(content) == after.st_size and _same(before, after):
            return Contents(after, content)
    raise StorageError(shown, "it keeps changing while it is read", wanted="read", hint=_HINT_CHANGING)


def _check_kind(status: os.stat_result, shown: str, max_bytes: int) -> None:
    kind = kind_of(status.st_mode)
    if kind:
        raise StorageError(shown, kind, wanted="read", hint="only regular files can be memories")
    if status.st_size > max_bytes:
        raise too_large(shown, status.st_size, max_bytes, wanted="read")


def too_large(shown: str, size: int, max_bytes: int, *, wanted: str) -> StorageError:
    """The error for a file above the limit."""
    return StorageError(
        shown,
        f"its {size:,} bytes are more than the limit of {max_bytes:,}",
        wanted=wanted,
        hint="split it into smaller notes; the file itself was left alone",
    )


def _read_all(fd: int, size: int) -> bytes:
    """Up to one byte more than `size`: that much tells that it grew."""
    parts: list[bytes] = []
    wanted = size + 1
    while wanted > 0:
        try:
            part = os.read(fd, wanted)
        except BlockingIOError as error:  # only something that is no plain file after all
            raise OSError(errno.ENXIO, "not a regular file") from error
        if not part:
            break
        parts.append(part)
        wanted -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_size, one.st_mtime_ns, one.st_ctime_ns) == (
        other.st_size,
        other.st_mtime_ns,
        other.st_ctime_ns,
    )
