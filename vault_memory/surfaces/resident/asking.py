"""Asking a vault's resident: whether there is one is decided by what it answers, and by nothing else."""

from __future__ import annotations

import json
import socket
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory import __version__
from vault_memory.errors import FormatError, VmemError
from vault_memory.model.resident import Resident, Silent, resident_from
from vault_memory.surfaces.resident import door

if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812 - the module of the same name is here too

    from vault_memory.model.wire import Json

CONNECTING = 1.0
STATE_SECONDS = 2.0
"""So long a resident may take to say how it is."""


class SilentError(Exception):
    """Somebody listens, and does not answer in time."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(pid)
        self.pid = pid


def ask(root: Path, request: Json, wait: float) -> Json | None:
    """What the resident of the vault at `root` answers; `None` where nobody listens.

    Raises `SilentError` where it says nothing within `wait` seconds, or what is no answer.
    """
    peer = door.connect(str(root), CONNECTING)
    if peer is None:
        return None
    try:
        peer.settimeout(wait)
        said(peer, request)
        return heard_from(peer)
    except (OSError, ValueError, door.ClosedError) as error:
        raise SilentError(_number_of(peer)) from error
    finally:
        peer.close()


def said(peer: Socket, request: Json) -> None:
    """Say a request. Raises `OSError`; a line that is not whole is not heeded."""
    own: Json = {"vmem": __version__, "protocol": door.PROTOCOL}
    door.say(peer, json.dumps(own | request).encode("ascii"))


def heard_from(peer: Socket) -> Json:
    """Hear the answer. Raises `OSError`, `door.ClosedError`, `ValueError`."""
    answer = json.loads(door.hear(peer))
    if not isinstance(answer, dict):
        raise ValueError("that is no answer")
    return answer


def resident_of(root: Path, wait: float = STATE_SECONDS) -> Resident | Silent | None:
    """The resident of the vault at `root`, `None` where there is none."""
    try:
        answer = ask(root, {"do": "state"}, wait)
        if answer is None:
            return None
        return resident_from(answer["value"])
    except SilentError as error:
        return Silent(error.pid)
    except (KeyError, FormatError, VmemError):  # it is of another version, or has too many callers
        return Silent(None)


def _number_of(peer: Socket) -> int | None:
    """The process at the other end, `None` where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    try:
        number, _, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    except OSError:
        return None
    return int(number) or None
