"""The server on HTTP in a thread, and a client of a few lines that knows nothing of the library."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.mcp.talking import CLIENT, PATIENCE, Asking, Json
from vault_memory.live.bearing import token_of
from vault_memory.surfaces.mcp.listening import Address, bound, door_of
from vault_memory.surfaces.mcp.overhttp import Ending, run
from vault_memory.surfaces.mcp.reach import Reach

BOTH = "application/json, text/event-stream"
HELLO: Json = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}
PING: Json = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@dataclass(frozen=True)
class Answer:
    """What came back for one request: the status, the headers (in lower case), and each message."""

    status: int
    headers: Mapping[str, str]
    messages: list[Json]

    @property
    def error(self) -> str:
        """What the one message says that is an error."""
        [message] = self.messages
        return str(message["error"]["message"])


@dataclass
class Web(Asking):
    """One client's side, with a session of its own once it has greeted."""

    port: int
    token: str | None
    session: str | None = None
    version: str | None = None
    number: int = 0
    heard: list[Json] = field(default_factory=list)
    on: Callable[[Json], None] | None = None
    """Hears each message of a stream as it comes."""
    begun: threading.Event = field(default_factory=threading.Event)
    """Set once the head of an answer has come."""

    def request(
        self,
        method: str,
        body: bytes | None = None,
        *,
        path: str | None = "/mcp",
        **headers: str | None,
    ) -> Answer:
        """One request on a connection of its own."""
        given: dict[str, str | None] = {
            "Content-Type": "application/json", "Accept": BOTH, "Mcp-Session-Id": self.session,
            "Mcp-Protocol-Version": self.version,
            "Authorization": None if self.token is None else f"Bearer {self.token}",
        }  # fmt: skip
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.putrequest(method, path or "/", skip_host=given.get("Host") is not None)
            for name, value in given.items():
                if value is not None:
                    line.putheader(name, value)
            if body is not None and "Transfer-Encoding" not in given:
                line.putheader("Content-Length", str(len(body)))
            line.endheaders(body)
            got = line.getresponse()
            self.begun.set()
            found = {name.lower(): value for name, value in got.getheaders()}
            messages = list(_messages(got, found.get("content-type", ""), self.on))
            return Answer(got.status, found, messages)
        finally:
            line.close()

    def post(self, message: Json, **headers: str | None) -> Answer:
        """Say one message."""
        return self.request("POST", json.dumps(message).encode(), **headers)

    def ask(self, method: str, **params: Any) -> Json:
        """The whole answer to a request; what else came with it is in `heard`."""
        self.number += 1
        asked = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        answer = self.request("POST", json.dumps(asked).encode())
        assert answer.status == 200, (answer.status, answer.messages)
        *others, last = answer.messages
        self.heard += others
        assert last["id"] == asked["id"]
        self.session = answer.headers.get("mcp-session-id", self.session)
        return last

    def greet(self, **params: Any) -> Json:
        """The handshake."""
        said: Json = self.ask("initialize", **(CLIENT | params))["result"]
        self.version = said["protocolVersion"]
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
        return said


def _messages(got: http.client.HTTPResponse, kind: str, on: Callable[[Json], None] | None) -> Iterator[Json]:
    """Those of a body of JSON, or of a stream of events as they come."""
    if not kind.startswith("text/event-stream"):
        text = got.read()
        if text:
            yield json.loads(text)
        return
    for line in got:
        if line.startswith(b"data: "):
            message = json.loads(line.removeprefix(b"data: "))
            if on is not None:
                on(message)
            yield message


@dataclass(frozen=True)
class Served:
    """A server that listens."""

    port: int
    token: str
    ending: Ending
    thread: threading.Thread

    def client(self, **params: Any) -> Web:
        """One more client, greeted."""
        web = Web(self.port, self.token)
        web.greet(**params)
        return web


@contextmanager
def listening(
    root: Path,
    agent: str | None = "ann",
    *,
    read_only: bool = False,
    reach: Reach | None = None,
    address: Address | None = None,
) -> Iterator[Served]:
    """A server in a thread of this process; it has ended when this is left."""
    where = address or Address(port=0)
    token, _ = token_of(root, agent, read_only=read_only, file=None)
    reach = reach or Reach(root, agent)
    ending = Ending()
    with bound(where) as socket:
        port = socket.getsockname()[1]
        door = door_of(token, where)
        thread = threading.Thread(
            target=run, args=(socket, reach, door, ending), kwargs={"read_only": read_only}
        )
        thread.start()
        try:
            yield Served(port, token, ending, thread)
        finally:
            ending.end()
            thread.join(PATIENCE)
            reach.close()
            assert not thread.is_alive()
