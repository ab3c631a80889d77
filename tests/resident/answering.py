"""A resident of the test's own: it listens where a vault's does, and answers by a script."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from vault_memory.surfaces.resident import door

Peer = socket.socket
Script = Callable[[Peer, dict[str, object]], None]


def line(value: object) -> bytes:
    """As it goes over the wire."""
    return json.dumps(value).encode("ascii") + b"\n"


def read(peer: Peer) -> dict[str, object]:
    """The next line that the caller says."""
    found = json.loads(door.hear(peer))
    assert isinstance(found, dict)
    return found


def saying(*said: tuple[int, str], code: int = 0) -> Script:
    """Answers every request with this."""

    def script(peer: Peer, request: dict[str, object]) -> None:
        peer.sendall(line({"said": said, "exit": code}))

    return script


@contextmanager
def answering(root: Path, script: Script) -> Iterator[list[dict[str, object]]]:
    """The requests that came; whatever the script does, the connection is closed after it."""
    place = door.place_of(str(root))
    assert place is not None
    Path(place).parent.mkdir(mode=0o700, exist_ok=True)
    requests: list[dict[str, object]] = []
    over = threading.Event()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()

        def serve() -> None:
            while not over.is_set():
                peer, _ = listener.accept()
                with peer:
                    if over.is_set():
                        return
                    try:
                        requests.append(read(peer))
                        script(peer, requests[-1])
                    except (door.ClosedError, BrokenPipeError, ConnectionResetError):
                        continue  # the caller went away, which is what some tests are about

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield requests
        finally:
            over.set()
            with socket.socket(socket.AF_UNIX) as last:
                last.connect(place)
            thread.join()
            Path(place).unlink()
