"""From start to end: take the pipes, greet, load what is heavy, answer, let go."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator
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
    check_installed()
    with ExitStack() as stack:
        pipes = Pipes.take()
        stack.callback(pipes.close)
        stack.enter_context(ended_by_signals(pipes.end))
        # Before anything heavy is loaded: many clients start all their servers at once, and wait for each.
        if greet(pipes):
            _answer(pipes, path, agent, read_only=read_only)


def _answer(pipes: Pipes, path: Path | None, agent: str | None, *, read_only: bool) -> None:
    with loading():
        from vault_memory.surfaces.mcp.server import run
    with reached(path, agent) as reach:
        run(pipes, reach, read_only=read_only)


def check_installed() -> None:
    """Raise `MissingExtraError` where the protocol's library is not there."""
    if find_spec("mcp") is None:
        raise MissingExtraError(EXTRA, needed_for="vmem mcp")


@contextmanager
def loading() -> Iterator[None]:
    """While the library is imported; raises `PluginError` where that fails."""
    try:
        yield
    except ImportError as error:
        raise PluginError(
            f"the package mcp can't be loaded: {error}",
            hint=f"pip install --upgrade 'vault-memory[{EXTRA}]'",
        ) from error


@contextmanager
def reached(path: Path | None, agent: str | None) -> Iterator[Reach]:
    """The vault as that caller reaches it; it is opened meanwhile, and let go of at the end."""
    from vault_memory.surfaces.mcp.reach import Reach

    _tell_nothing()
    with ExitStack() as stack:
        reach = Reach(path, agent)
        stack.callback(reach.close)
        opening = threading.Thread(target=_open, args=(reach,), name="vmem-mcp-opening")
        opening.start()
        stack.callback(opening.join)
        yield reach


def _open(reach: Reach) -> None:
    """Open the vault ahead of the first question; what is wrong with it, each question will be told too."""
    try:
        reach.begin()
    except VmemError as error:
        print(f"vmem mcp: {error.message}", file=sys.stderr)


def _tell_nothing() -> None:
    """Keep the libraries' logs, which hold tracebacks and what was asked, off the client's log of stderr."""
    if not environ.debug():
        for name in ("mcp", "uvicorn", "sse_starlette"):
            logging.getLogger(name).addHandler(logging.NullHandler())
            logging.getLogger(name).propagate = False


@contextmanager
def ended_by_signals(end: Callable[[], None]) -> Iterator[None]:
    """A signal is as good as the end of stdin: what was asked is answered, what waits is committed."""

    def heard(_: int, __: FrameType | None) -> None:
        end()

    before = {one: signal.signal(one, heard) for one in _ENDING}
    try:
        yield
    finally:
        for one, old in before.items():
            signal.signal(one, old)
