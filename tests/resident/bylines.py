"""What a caller says to a resident by its socket alone, line by line, and what is answered."""

from __future__ import annotations

import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from vault_memory import __version__
from vault_memory.config import given as caller
from vault_memory.surfaces.resident import door

OWN = {"vmem": __version__, "protocol": door.PROTOCOL}
SECONDS = 30.0


def connected(root: Path) -> socket.socket:
    """A caller's end of a connection."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(SECONDS)
    peer.connect(door.places_of(str(root))[0])
    return peer


def said_to(root: Path, line: bytes) -> dict[str, Any]:
    """What is answered to a line, whatever it holds."""
    with connected(root) as peer:
        with suppress(BrokenPipeError):  # one who is turned away may be told so before they have asked
            peer.sendall(line + b"\n")
        answer = json.loads(peer.makefile("rb").readline())
    assert isinstance(answer, dict)
    return answer


def asked(root: Path, **request: object) -> dict[str, Any]:
    """What is answered to a request of this version."""
    return said_to(root, json.dumps(OWN | request).encode())


def run(root: Path, *argv: str, **more: object) -> dict[str, Any]:
    """What a command line of ours is answered."""
    request: dict[str, object] = {
        "argv": argv, "folder": str(root), "given": caller.carried(),
        "terminal": {"stdin": False, "stdout": False, "stderr": False, "columns": 80},
    }  # fmt: skip
    return asked(root, do="run", **(request | more))
