"""Talking to a vault's resident line by line, as a program does that knows nothing but the protocol."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

from vault_memory import __version__
from vault_memory.surfaces.resident import door

PATIENCE = 60.0
"""Seconds after which an answer counts as none."""


class SilenceError(Exception):
    """The other side went away, or said nothing: nobody knows what it has done."""


def connected(root: Path) -> socket.socket | None:
    """A connection to the resident, `None` where nobody listens."""
    found = door.connect(str(root), PATIENCE)
    if found is None:
        return None
    peer = socket.socket(fileno=found.detach())
    peer.settimeout(PATIENCE)
    return peer


def exchanged(peer: socket.socket, do: str, **more: Any) -> Any:
    """One request on an open connection, and its answer. Raises `SilenceError`."""
    request = {"vmem": __version__, "protocol": door.PROTOCOL, "do": do, **more}
    try:
        door.say(peer, json.dumps(request).encode())
        return json.loads(door.hear(peer))
    except (OSError, ValueError, door.ClosedError):
        raise SilenceError from None


def said(root: Path, do: str, **more: Any) -> Any:
    """One request on a connection of its own, and its answer; `None` where nobody listens.

    Raises `SilenceError`."""
    peer = connected(root)
    if peer is None:
        return None
    with peer:
        return exchanged(peer, do, **more)
