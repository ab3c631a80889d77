"""What stands before the protocol's library on HTTP: the door, a limit for bodies, and clear refusals."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import anyio

from vault_memory.surfaces.mcp.admission import Door, Refused
from vault_memory.surfaces.mcp.messages import INVALID_REQUEST, NoMessage, message_in, refusal

LONGEST = 8 * 1024 * 1024
"""Bytes of a body."""
_MOST_HEARD = 2 * LONGEST
BODY_SECONDS = 30.0
"""So long a client may take to send one."""

Facts = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Facts]]
Send = Callable[[Facts], Awaitable[None]]
Application = Callable[[Facts, Receive, Send], Awaitable[None]]

_JSON = b"application/json"


class Guard:
    """Passes on what is let in and is a message; knows what is under way."""

    def __init__(self, app: Application, door: Door) -> None:
        self._app, self._door = app, door
        self._under_way = 0
        self._ending = False
        self._quiet = anyio.Event()

    async def __call__(self, facts: Facts, receive: Receive, send: Send) -> None:
        """The application that a server of HTTP calls for each request."""
        if facts["type"] != "http":
            return
        refused = self._door.refuses(facts["method"], facts["path"], facts["headers"])
        if refused is None and self._ending:
            refused = Refused(503, "the server is ending; start it again")
        if refused is not None:
            await _refuse(refused, send)
        elif facts["method"] == "POST":
            await self._post(facts, receive, send)
        else:
            await self._app(facts, receive, send)

    async def answered(self, within: float) -> None:
        """Take no more questions, and wait until those under way are answered; `within` seconds at most."""
        self._ending = True
        with anyio.move_on_after(within):
            while self._under_way:
                self._quiet = anyio.Event()
                await self._quiet.wait()

    async def _post(self, facts: Facts, receive: Receive, send: Send) -> None:
        self._under_way += 1
        try:
            body = await _body(facts, receive)
            if isinstance(body, Refused):
                await _refuse(body, send)
            elif body is not None:
                await self._app(*_told(facts, receive, body), send)
        finally:
            self._under_way -= 1
            self._quiet.set()


async def _body(facts: Facts, receive: Receive) -> bytes | Refused | None:
    """The message of a request, as JSON that every reader takes; `None` where the client hung up."""
    headers = dict(facts["headers"])
    kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
    if kind != _JSON:
        return Refused(415, 'a message is JSON: send the header "Content-Type: application/json"')
    too_long = Refused(413, f"a message may have {LONGEST:,} bytes", ((b"connection", b"close"),))
    declared = headers.get(b"content-length", b"0")
    if not declared.isdigit() or int(declared) > LONGEST:
        return too_long
    read = bytearray()
    with anyio.move_on_after(BODY_SECONDS) as patience:
        while True:
            part = await receive()
            if part["type"] != "http.request":
                return None
            read += part.get("body", b"")
            if len(read) > _MOST_HEARD:  # who is cut off in the middle reads no answer
                return too_long
            if not part.get("more_body", False):
                break
    if len(read) > LONGEST:
        return too_long
    if patience.cancelled_caught:
        return Refused(408, f"the message was not there within {BODY_SECONDS:g} seconds")
    try:
        return json.dumps(message_in(bytes(read), "this body")).encode()
    except NoMessage as error:
        return Refused(400, error.why)


def _told(facts: Facts, receive: Receive, body: bytes) -> tuple[Facts, Receive]:
    """The request with that body, as the next one reads it; after it only the client's end is heard."""
    left: list[Facts] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Facts:
        return left.pop() if left else await receive()

    size = [(b"content-length", str(len(body)).encode())]
    others = [pair for pair in facts["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**facts, "headers": others + size}, again


async def _refuse(refused: Refused, send: Send) -> None:
    """An error of the protocol as the body, so that clients show it."""
    body = json.dumps(refusal(INVALID_REQUEST, refused.why)).encode()
    headers = [
        (b"content-type", _JSON),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *refused.more,
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
