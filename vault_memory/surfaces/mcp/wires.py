"""The two pipes as the streams of messages that the protocol's library reads and writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.shared.message import SessionMessage

from vault_memory.surfaces.mcp.pipes import Pipes

_WAITING = 16
"""Messages that are read ahead of what the library has taken."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def wired(pipes: Pipes) -> AsyncIterator[tuple[Incoming, Outgoing]]:
    """What comes in and what goes out, until the client hangs up.

    The library has such streams too, of lines: each message would be read, written and read again there.
    """
    taking, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](_WAITING)
    outgoing, giving = anyio.create_memory_object_stream[SessionMessage](_WAITING)

    async def hear() -> None:
        async with taking:
            while True:
                message = await anyio.to_thread.run_sync(pipes.hear)
                if message is None:
                    return
                try:
                    read = types.jsonrpc_message_adapter.validate_python(message, by_name=False)
                except ValueError as error:  # the library says what is wrong
                    await taking.send(error)
                else:
                    await taking.send(SessionMessage(read))

    async def say() -> None:
        async with giving:
            async for one in giving:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True)
                asked = _answered(one.message)
                if pipes.may_say_at_once(text):  # to wake a thread takes longer than to say it
                    pipes.say(text, asked)
                else:
                    await anyio.to_thread.run_sync(pipes.say, text, asked)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hear)
        tasks.start_soon(say)
        yield incoming, outgoing


def _answered(message: types.JSONRPCMessage) -> object:
    """The id of the request that a message answers."""
    return message.id if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) else None
