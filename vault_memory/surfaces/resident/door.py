"""Where the resident of a vault listens, and how a line is said to it, by C parts of the standard library.

The client of the fast path is over before `socket`, `json` or `re` would be imported.
"""

from __future__ import annotations

import _json
import _socket
import os
import stat

from vault_memory.config import given

PROTOCOL = 1
"""Raised whenever a line means something else than before; another one is never guessed at."""
LONGEST_PATH = 100
"""Bytes of a socket's path that every system takes."""
PORT_FILE = ".port"
"""Where it is a port of this machine: what follows the name of the file of port, token and greeting."""
_CHUNK = 1 << 16
_BY_PATH = getattr(_socket, "AF_UNIX", None)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class ClosedError(Exception):
    """The other side went away before the line was whole."""


def places_of(root: str) -> tuple[str, ...]:
    """The paths at which the resident of the vault at `root` may listen, best first; none where `root` is
    no vault, or where nobody else can be kept out of every folder that it could lie in.

    They are named after the file number of `.vmem`, so that a vault has them by whatever path it is reached.
    """
    try:
        found = os.stat(f"{root}/.vmem")
    except OSError:
        return ()
    name = f"{found.st_dev:x}-{found.st_ino:x}"
    places = [f"{folder}/{name}" for folder in given.runtime_folders() if is_private(folder)]
    return tuple(place for place in places if _BY_PATH is None or len(os.fsencode(place)) <= LONGEST_PATH)


def place_of(root: str) -> str | None:
    """The best of these places."""
    places = places_of(root)
    return places[0] if places else None


def is_private(folder: str) -> bool:
    """Whether the folder is ours alone, or would be if we made it: nobody else can put theirs there."""
    above = os.path.dirname(folder)
    if not hasattr(os, "getuid"):  # a person's own folders are closed to others there
        return os.path.isdir(above)
    try:
        found, around = os.lstat(folder), os.stat(above)
    except FileNotFoundError:
        return _lets_us_make_one(above)
    except OSError:
        return False
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return ours and _keeps_its_folders(around)


def _lets_us_make_one(above: str) -> bool:
    try:
        around = os.stat(above)
    except OSError:
        return False
    return _keeps_its_folders(around) and os.access(above, os.W_OK | os.X_OK)


def _keeps_its_folders(around: os.stat_result) -> bool:
    """Whether nobody but us and the administrator can take a folder away from it."""
    closed = bool(around.st_mode & stat.S_ISVTX) or not around.st_mode & _OTHERS_WRITE
    return stat.S_ISDIR(around.st_mode) and around.st_uid in (0, os.getuid()) and closed


def connect(root: str, wait: float) -> _socket.socket | None:
    """A connection to the resident of that vault, `None` where nobody listens; `wait` in seconds."""
    for place in places_of(root):
        peer = _by_path(place, wait) or _by_port(place + PORT_FILE, wait)
        if peer is not None:
            return peer
    return None


def _by_path(place: str, wait: float) -> _socket.socket | None:
    if _BY_PATH is None:
        return None
    peer = _socket.socket(_BY_PATH, _socket.SOCK_STREAM)
    peer.settimeout(wait)
    try:
        peer.connect(place)
    except OSError:
        peer.close()
        return None
    return peer


def _by_port(file: str, wait: float) -> _socket.socket | None:
    """By the port that the file names. Either side proves to the other that it knows the file: the port
    may have gone to another program since."""
    try:
        opened = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        port, token, greeting = os.read(opened, 1000).split()
    except ValueError:
        return None
    finally:
        os.close(opened)
    peer = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    peer.settimeout(wait)
    try:
        peer.connect(("127.0.0.1", int(port)))
        say(peer, token)
        if hear(peer) == greeting:
            return peer
    except (OSError, ValueError, OverflowError, ClosedError):
        pass
    peer.close()
    return None


def say(peer: _socket.socket, line: bytes) -> None:
    """Send one line."""
    peer.sendall(line + b"\n")


def hear(peer: _socket.socket) -> bytes:
    """The next line without its end; where several have come already, all of them, parted by their ends.

    Raises `ClosedError`, `OSError`."""
    parts: list[bytes] = []
    while True:
        part = peer.recv(_CHUNK)
        if not part:
            raise ClosedError
        parts.append(part)
        if part.endswith(b"\n"):  # the other side waits for us then, so that no half line can follow
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
