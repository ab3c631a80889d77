"""The server on HTTP while it lives: sessions of the library behind the guard, an end that owes no answer."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from functools import partial

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from vault_memory.surfaces.mcp.admission import Door
from vault_memory.surfaces.mcp.connections import MOST, Yielding
from vault_memory.surfaces.mcp.guard import LONGEST, Guard
from vault_memory.surfaces.mcp.pipes import LEAVING
from vault_memory.surfaces.mcp.reach import Reach
from vault_memory.surfaces.mcp.server import server_of

MOST_SESSIONS = 100
"""Conversations at one time; each client has one."""
IDLE_SECONDS = 30 * 60.0
"""After so long without a word a session is dropped, and its client begins another."""
MOST_REQUESTS = 2 * MOST
"""At one time; then they are told to come again."""
KEEP_ALIVE_SECONDS = 60
HANGING_UP = 2
"""Seconds that a client has to take in its last answer."""


class Ending:
    """Asks a server to end; from any thread, from a signal handler, and before it has begun too."""

    def __init__(self) -> None:
        self._asked = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event: anyio.Event | None = None

    def end(self) -> None:
        """Ask."""
        self._asked = True
        loop, event = self._loop, self._event
        if loop is not None and event is not None:
            with contextlib.suppress(RuntimeError):  # it has ended already
                loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        """Until it was asked."""
        self._event = anyio.Event()
        self._loop = asyncio.get_running_loop()
        if not self._asked:
            await self._event.wait()


class _Listening(uvicorn.Server):
    """Uvicorn's, which leaves the signals to us: on the first it would cut off what is being answered."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run(listening: socket.socket, reach: Reach, door: Door, ending: Ending, *, read_only: bool) -> None:
    """`serve`, from code that waits for it."""
    anyio.run(partial(serve, listening, reach, door, ending, read_only=read_only))


async def serve(
    listening: socket.socket, reach: Reach, door: Door, ending: Ending, *, read_only: bool
) -> None:
    """Answer on that socket until the end is asked for; what was asked before is answered."""
    sessions = StreamableHTTPSessionManager(
        server_of(reach, read_only=read_only),
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
        max_request_body_size=LONGEST * 2,  # the guard has the say
    )
    guard = Guard(sessions.handle_request, door)
    config = uvicorn.Config(
        guard,
        http=Yielding,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_REQUESTS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=HANGING_UP,
    )
    server = _Listening(config)
    async with anyio.create_task_group() as tasks:
        async with sessions.run():
            tasks.start_soon(partial(server.serve, [listening]))
            await ending.wait()
            await guard.answered(LEAVING)
        server.should_exit = True
