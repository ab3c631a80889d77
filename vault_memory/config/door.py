"""By which door a question has come: a command, the resident's socket, a client of MCP; unknown in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_door: ContextVar[str | None] = ContextVar("door", default=None)


@contextmanager
def door(name: str) -> Iterator[None]:
    """What is asked inside has come by the door of that name; the outermost one counts."""
    if _door.get() is not None:
        yield
        return
    token = _door.set(name)
    try:
        yield
    finally:
        _door.reset(token)


def door_now() -> str | None:
    """The door that the present question has come by, `None` where nobody said."""
    return _door.get()
