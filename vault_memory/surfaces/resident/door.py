"""Where the resident of a vault listens, and how a line is said to it, by C parts of the standard library.

The client of the fast path is over before `socket`, `json` or `re` would be imported.
"""

from __future__ import annotations

import _json
import _socket
import os
import stat
import sys

from vault_memory.config import given

PROTOCOL = 1
"""Raised whenever a line means something else than before; another one is never guessed at."""
LONGEST_PATH = 100
"""Bytes of a socket's path that every system takes."""
_CHUNK = 1 << 16
_BY_PORT = getattr(_socket, "AF_UNIX", None) is None


class ClosedError(Exception):
    """The other side went away before the line was whole."""


def place_of(root: str) -> str | None:
    """The path of the socket for the vault at `root`; `None` where `root` is no vault, or where nobody
    else can be kept out of every folder that it could lie in.

    It is named after the file number of `.vmem`, so that a vault has one by whatever path it is reached.
    """
    try:
        found = os.stat(f"{root}/.vmem")
    except OSError:
        return None
    name = f"{found.st_dev:x}-{found.st_ino:x}"
    for folder in given.runtime_folders():
        place = f"{folder}/{name}"
        if len(os.fsencode(place)) <= LONGEST_PATH and is_private(folder):
            return place
    return None


def is_private(folder: str) -> bool:
    """Whether the folder is ours alone, or is not there yet: a link or another's is neither."""
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def connect(root: str, wait: float) -> _socket.socket | None:
    """A connection to the resident of that vault, `None` where nobody listens; `wait` in seconds."""
    place = place_of(root)
    if place is None or (_BY_PORT and sys.platform != "win32"):
        return None
    peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    peer.settimeout(wait)
    try:
        peer.connect(place)
    except OSError:
        peer.close()
        return None
    return peer


def say(peer: _socket.socket, line: bytes) -> None:
    """Send one line."""
    peer.sendall(line + b"\n")


def hear(peer: _socket.socket) -> bytes:
    """The next line, without its end. Raises `ClosedError`, `OSError`."""
    parts: list[bytes] = []
    while True:
        part = peer.recv(_CHUNK)
        if not part:
            raise ClosedError
        parts.append(part)
        if part.endswith(b"\n"):  # the other side waits for an answer, so nothing follows a line
            return b"".join(parts)[:-1]


class _Plain:
    """How JSON is read: as it is."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - what the scanner asks for


def quoted(text: str) -> str:
    """A text as JSON, in ASCII; also one that is no Unicode."""
    return _json.encode_basestring_ascii(text)


def read(line: bytes) -> object:
    """The value of a line of JSON. Raises `ValueError`."""
    try:
        value, _ = _json.make_scanner(_Plain())(line.decode("ascii"), 0)  # type: ignore[arg-type]  # any object will do
    except StopIteration:
        raise ValueError("no JSON") from None
    return value
