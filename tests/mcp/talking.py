"""A client of the protocol in a few lines, which knows nothing of the library: a line out, a line in."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vault_memory.surfaces.mcp.pipes import Pipes
from vault_memory.surfaces.mcp.reach import Reach
from vault_memory.surfaces.mcp.server import run

PATIENCE = 60.0
"""Seconds that an answer may take on a loaded machine."""
CLIENT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "plain", "version": "1"},
}
Json = dict[str, Any]


class Asking(ABC):
    """What every client can do that has a way to ask."""

    @abstractmethod
    def ask(self, method: str, **params: Any) -> Json:
        """The whole answer to a request."""

    def call(self, tool: str, **arguments: Any) -> Json:
        """What a tool answers; an error of the protocol fails the test."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        assert "result" in answer, answer
        result: Json = answer["result"]
        return result

    def well(self, tool: str, **arguments: Any) -> Json:
        """The object of a tool that succeeds."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        value: Json = result["structuredContent"]
        return value

    def text(self, tool: str, **arguments: Any) -> str:
        """The text of what a tool answers, well or not."""
        [content] = self.call(tool, **arguments)["content"]
        return str(content["text"])


@dataclass
class Talk(Asking):
    """One client's side. All that comes is kept; whatever is no message of the protocol fails the test."""

    outgoing: int
    incoming: int
    heard: list[Json] = field(default_factory=list)
    strange: list[bytes] = field(default_factory=list)
    number: int = 0

    def __post_init__(self) -> None:
        self._queue: queue.Queue[Json | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with os.fdopen(self.incoming, "rb") as lines:
            for line in lines:
                try:
                    message = json.loads(line)
                    assert message["jsonrpc"] == "2.0"
                except (ValueError, KeyError, TypeError, AssertionError):
                    self.strange.append(line)
                else:
                    self._queue.put(message)
        self._queue.put(None)

    def raw(self, line: bytes) -> None:
        """Say a line as it is."""
        left = line + b"\n"
        while left:
            left = left[os.write(self.outgoing, left) :]

    def tell(self, method: str, **params: Any) -> None:
        """A notification."""
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def send(self, method: str, **params: Any) -> int:
        """A request; its number."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.raw(json.dumps(request).encode())
        return self.number

    def next(self) -> Json:
        """The next message, whatever it is."""
        message = self._queue.get(timeout=PATIENCE)
        assert message is not None, "the server hung up"
        return message

    def answer(self, number: int | None) -> Json:
        """The answer to a request; what else comes meanwhile is in `heard`."""
        for known in self.heard:
            if "method" not in known and known.get("id") == number:
                self.heard.remove(known)
                return known
        while True:
            message = self.next()
            if "method" not in message and message.get("id") == number:
                return message
            self.heard.append(message)

    def ask(self, method: str, **params: Any) -> Json:
        """The whole answer to a request."""
        return self.answer(self.send(method, **params))

    def greet(self) -> Json:
        """The handshake."""
        answer: Json = self.ask("initialize", **CLIENT)["result"]
        self.tell("notifications/initialized")
        return answer

    def hang_up(self) -> list[Json]:
        """Close the server's stdin and hear what it still says, to its end."""
        os.close(self.outgoing)
        rest: list[Json] = []
        while (message := self._queue.get(timeout=PATIENCE)) is not None:
            rest.append(message)
        self._reader.join()
        assert self.strange == []
        return rest


@contextmanager
def served(root: Path, agent: str | None = "ann", *, read_only: bool = False) -> Iterator[Talk]:
    """A server in a thread of this process, greeted; it has ended when this is left."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    pipes, reach = Pipes(theirs_in, theirs_out), Reach(root, agent)

    def serve() -> None:
        try:
            run(pipes, reach, read_only=read_only)
        finally:
            reach.close()
            pipes.close()

    thread = threading.Thread(target=serve)
    thread.start()
    talk = Talk(ours_out, ours_in)
    try:
        talk.greet()
        yield talk
    finally:
        talk.hang_up()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@contextmanager
def process(
    *words: str, environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], Talk]]:
    """`vmem mcp` as a process of its own, not greeted yet."""
    program = subprocess.Popen(
        [sys.executable, "-m", "vault_memory", "mcp", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=dict(os.environ) | dict(environment or {}), cwd=cwd,
    )  # fmt: skip
    assert program.stdin is not None
    assert program.stdout is not None
    talk = Talk(os.dup(program.stdin.fileno()), os.dup(program.stdout.fileno()))
    program.stdin.close()
    program.stdout.close()
    try:
        yield program, talk
    finally:
        if program.poll() is None:
            program.kill()
        program.wait(PATIENCE)
        assert program.stderr is not None
        program.stderr.close()
