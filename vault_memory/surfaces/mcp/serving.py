"""From start to end: take the pipes, greet, load what is heavy, answer, let go."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from vault_memory.config import environ
from vault_memory.errors import MissingExtraError, PluginError, VmemError
from vault_memory.surfaces.mcp.greeting import greet
from vault_memory.surfaces.mcp.pipes import Pipes

if TYPE_CHECKING:
    from vault_memory.surfaces.mcp.reach import Reach

EXTRA = "mcp"
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def serve(path: Path | None, agent: str | None, *, read_only: bool) -> None:
    """Serve one client on stdin and stdout until it hangs up, or a signal ends it.

    Raises `MissingExtraError` where the protocol's library is not installed, `PluginError` where it is
    broken.
    """
    if find_spec("mcp") is None:
        raise MissingExtraError(EXTRA, needed_for="vmem mcp")
    with ExitStack() as stack:
        pipes = Pipes.take()
        stack.callback(pipes.close)
        stack.enter_context(_ended_by_signals(pipes))
        # Before anything heavy is loaded: many clients start all their servers at once, and wait for each.
        if greet(pipes):
            _answer(pipes, path, agent, read_only=read_only)


def _answer(pipes: Pipes, path: Path | None, agent: str | None, *, read_only: bool) -> None:
    try:
        from vault_memory.surfaces.mcp.server import run
    except ImportError as error:
        raise PluginError(
            f"the package mcp can't be loaded: {error}",
            hint=f"pip install --upgrade 'vault-memory[{EXTRA}]'",
        ) from error
    from vault_memory.surfaces.mcp.reach import Reach

    _tell_nothing()
    with ExitStack() as stack:
        reach = Reach(path, agent)
        stack.callback(reach.close)
        opening = threading.Thread(target=_open, args=(reach,), name="vmem-mcp-opening")
        opening.start()
        stack.callback(opening.join)
        run(pipes, reach, read_only=read_only)


def _open(reach: Reach) -> None:
    """Open the vault ahead of the first question; what is wrong with it, each question will be told too."""
    try:
        reach.begin()
    except VmemError as error:
        print(f"vmem mcp: {error.message}", file=sys.stderr)


def _tell_nothing() -> None:
    """Keep the library's log, which holds tracebacks and what was asked, off the client's log of stderr."""
    if not environ.debug():
        logging.getLogger("mcp").addHandler(logging.NullHandler())
        logging.getLogger("mcp").propagate = False


@contextmanager
def _ended_by_signals(pipes: Pipes) -> Iterator[None]:
    """A signal is as good as the end of stdin: what was asked is answered, what waits is committed."""

    def end(_: int, __: FrameType | None) -> None:
        pipes.end()

    before = {one: signal.signal(one, end) for one in _ENDING}
    try:
        yield
    finally:
        for one, old in before.items():
            signal.signal(one, old)
