"""What tests of models stand on: a model that is here needs no network."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No address is resolved and no connection made, not even one whose failure would be swallowed."""
    attempts: list[object] = []

    def refuse(*args: object, **_: object) -> None:
        attempts.append(args)
        raise OSError("the network is off in this test")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    yield
    assert attempts == []
