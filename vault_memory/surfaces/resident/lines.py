"""Lines of JSON as the resident hears and says them: each has an end, a size, and a time to come in."""

from __future__ import annotations

import json
import socket
from typing import Protocol

from vault_memory.model.wiretext import Encoded

LONGEST = 64 * 1024 * 1024
"""Bytes of a line."""
_CHUNK = 1 << 16


class EndedError(Exception):
    """The other side went away, or was silent for too long."""


class UnreadableError(Exception):
    """What came is no request; the message says why. `last`: nothing that follows can be read either."""

    def __init__(self, reason: str, *, last: bool = False) -> None:
        super().__init__(reason)
        self.last = last


class Peer(Protocol):
    """Who asks, while they wait for the answer."""

    def tell(self, value: dict[str, object]) -> None:
        """Say a line before the answer. Raises `EndedError`."""

    def ask(self, value: dict[str, object]) -> dict[str, object]:
        """Say a line, and hear one. Raises `EndedError`, `UnreadableError`."""


class Lines:
    """One connection: a line in, a line out."""

    def __init__(self, peer: socket.socket, *, longest: int = LONGEST) -> None:
        self._peer = peer
        self._longest = longest
        self._rest = bytearray()

    def hear(self, *, begin: float, whole: float) -> dict[str, object]:
        """The next request. It must begin within so many seconds, and be whole within so many more.

        Raises `EndedError`, and `UnreadableError` for what is no JSON object; after one that is too long
        nothing more can be read."""
        self._peer.settimeout(whole if self._rest else begin)
        searched = 0
        while (end := self._rest.find(b"\n", searched)) < 0:
            searched = len(self._rest)
            if searched > self._longest:
                raise UnreadableError(f"a line may have {self._longest:,} bytes", last=True)
            try:
                part = self._peer.recv(_CHUNK)
            except OSError as error:  # a timeout is one too
                raise EndedError from error
            if not part:
                raise EndedError
            if not searched:
                self._peer.settimeout(whole)
            self._rest += part
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return _read(line)

    def say(self, value: object) -> None:
        """Send a line. Raises `EndedError`."""
        try:
            self._peer.sendall(written(value).encode("ascii") + b"\n")
        except OSError as error:
            raise EndedError from error


def written(value: object) -> str:
    """The value as ASCII JSON on one line; a part of it called `value` may be that already."""
    if not isinstance(value, dict) or not isinstance(value.get("value"), Encoded):
        return _encode(value)
    first, rest = value["value"].text, {key: part for key, part in value.items() if key != "value"}
    return f'{{"value":{first},{_encode(rest)[1:]}' if rest else f'{{"value":{first}}}'


_encode = json.JSONEncoder(separators=(",", ":")).encode


def _read(line: bytes) -> dict[str, object]:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError("it is no JSON") from error
    if not isinstance(value, dict):
        raise UnreadableError("it is no JSON object")
    return value
