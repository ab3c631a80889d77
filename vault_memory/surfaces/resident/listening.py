"""The places at which a resident listens: sockets in a folder that is its user's alone, or a port."""

from __future__ import annotations

import errno
import hmac
import os
import secrets
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from vault_memory.errors import SidecarError
from vault_memory.surfaces.resident import door

BY_PORT = not hasattr(socket, "AF_UNIX")
BACKLOG = 128
_GREETED = 5.0
"""Seconds for whoever comes by the port to say the token."""
_LONGEST_TOKEN = 200
_MAC_PEER = (0, 1)
"""SOL_LOCAL and LOCAL_PEERCRED of macOS, which Python does not name."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One place, and the file that stands for it."""

    listener: socket.socket
    file: str
    number: int
    """The inode of the file: another one means that somebody else listens there."""

    def is_ours(self) -> bool:
        try:
            return os.lstat(self.file).st_ino == self.number
        except OSError:
            return False

    def close(self) -> None:
        if self.is_ours():
            with suppress(FileNotFoundError):
                os.unlink(self.file)
        self.listener.close()


@dataclass(slots=True)
class Listening:
    """Where the resident of one vault listens. The caller is the only resident of that vault, so what
    lies at its places is of one that died."""

    root: Path
    by_port: bool = BY_PORT
    _places: list[_Place] = field(default_factory=list)
    _token: str = field(default_factory=secrets.token_hex)
    _greeting: str = field(default_factory=secrets.token_hex)

    def open(self) -> None:
        """Listen at every place where somebody may look. Raises `SidecarError` where there is none."""
        self.close()
        reason = "no folder can be closed to other users: XDG_RUNTIME_DIR, and /tmp"
        for place in door.places_of(str(self.root)):
            try:
                self._places.append(self._by_port(place) if self.by_port else _by_path(place))
            except OSError as error:
                reason = f"{place}: {error.strerror or error}"
        if not self._places:
            raise SidecarError(
                f"there is no place to listen at: {reason}",
                hint="set XDG_RUNTIME_DIR to a short path of a folder of yours, with mode 0700",
            )

    @property
    def sockets(self) -> list[socket.socket]:
        """What to wait at."""
        return [place.listener for place in self._places]

    @property
    def files(self) -> list[str]:
        """What a caller looks for."""
        return [place.file for place in self._places]

    def is_whole(self) -> bool:
        """Whether callers find it still: a cleaner of old files may have been there."""
        return bool(self._places) and all(place.is_ours() for place in self._places)

    def close(self) -> None:
        """Listen no more, and take away what callers look for. Twice is no fault."""
        for place in self._places:
            place.close()
        self._places.clear()

    def is_welcome(self, peer: socket.socket) -> bool:
        """Whether whoever came may ask: the same user, or one who knows the token. May take a moment."""
        if self.by_port:
            return self._knows_the_token(peer)
        user = _user_of(peer)
        return user is None or user == os.getuid()

    def _knows_the_token(self, peer: socket.socket) -> bool:
        peer.settimeout(_GREETED)
        said = b""
        try:
            while not said.endswith(b"\n") and len(said) < _LONGEST_TOKEN:
                part = peer.recv(_LONGEST_TOKEN)
                if not part:
                    return False
                said += part
            if not hmac.compare_digest(said, f"{self._token}\n".encode()):
                return False
            peer.sendall(f"{self._greeting}\n".encode())
        except OSError:
            return False
        return True

    def _by_port(self, place: str) -> _Place:
        listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        try:
            listener.setblocking(False)
            _make_private(os.path.dirname(place))
            file = place + door.PORT_FILE
            text = f"{listener.getsockname()[1]} {self._token} {self._greeting}\n"
            return _Place(listener, file, _write_new(file, text.encode()))
        except OSError:
            listener.close()
            raise


def _by_path(place: str) -> _Place:
    _make_private(os.path.dirname(place))
    with suppress(FileNotFoundError):
        os.unlink(place)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(place)
        os.chmod(place, 0o600)
        listener.listen(BACKLOG)
        listener.setblocking(False)  # who came may be gone again before they are taken in
        return _Place(listener, place, os.lstat(place).st_ino)
    except OSError:
        listener.close()
        raise


def _make_private(folder: str) -> None:
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if not door.is_private(folder):
        raise PermissionError(errno.EPERM, "its folder is not yours alone")


def _write_new(file: str, content: bytes) -> int:
    """Write a file that was not there, closed to others; its inode."""
    with suppress(FileNotFoundError):
        os.unlink(file)
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(opened, content)
        return os.fstat(opened).st_ino
    finally:
        os.close(opened)


def _user_of(peer: socket.socket) -> int | None:
    """Who is at the other end, `None` where the system does not tell; the folder keeps others out."""
    if hasattr(socket, "SO_PEERCRED"):
        _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(user)
    if sys.platform == "darwin":
        _, user = struct.unpack("2I", peer.getsockopt(*_MAC_PEER, 8))
        return int(user)
    return None
