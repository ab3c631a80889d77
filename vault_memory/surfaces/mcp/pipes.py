"""stdin and stdout as the protocol's two pipes: one JSON object a line, and nothing else in either."""

from __future__ import annotations

import json
import os
import select
import sys
import threading
from contextlib import suppress

from vault_memory.surfaces.mcp.messages import (
    INVALID_REQUEST,
    Message,
    NoMessage,
    message_in,
    refusal,
)
from vault_memory.surfaces.mcp.room import has_room

LONGEST = 32 * 1024 * 1024
"""Bytes of a message; a longer one is read to its end and refused."""
LEAVING = 10.0
"""Seconds that what was asked before stdin closed is given to be answered."""
_CHUNK = 1 << 16


class Pipes:
    """The two pipes of this process, taken for the protocol alone.

    From `take` on file descriptor 0 is empty and 1 is stderr: neither a `print`, nor a library, nor a hook
    of git can say a word among the messages. `hear` and `say` may be called by two threads.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._wake, self._waker = os.pipe()
        self._begun = bytearray()
        self._lines: list[bytes] = []
        self._skipping = False
        self._ended = False
        self._kept: list[Message] = []
        self._greeted: list[object] = []
        self._open: set[object] = set()
        self._changed = threading.Condition()
        self._saying = threading.Lock()

    @classmethod
    def take(cls) -> Pipes:
        """Those of this process; what it prints from now on goes to stderr."""
        sys.stdout.flush()
        incoming, outgoing = (os.dup(number) for number in (0, 1))
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)
        os.dup2(2, 1)
        return cls(incoming, outgoing)

    def close(self) -> None:
        """Close both, and give nothing back: this is the end of the process' talk."""
        for number in (self._incoming, self._outgoing, self._wake, self._waker):
            os.close(number)

    def end(self) -> None:
        """Let `hear` find the end now, whoever waits in it; from a signal handler too."""
        self._ended = True
        with suppress(OSError):  # closed already
            os.write(self._waker, b".")

    def hear(self) -> Message | None:
        """The next message; `None` at the end, once what was asked is answered.

        What is no message is answered here: whoever passes it on would drop it, and its sender wait.
        """
        while True:
            if self._kept:
                return self._kept.pop()
            line = self._line()
            if line is None:
                self._await_answers()
                return None
            message = self._checked(line)
            if message is not None:
                self._note(message)
                return message

    def keep(self, message: Message) -> None:
        """Let the next `hear` give this one again."""
        self._kept.append(message)

    def greet(self, answer: Message) -> None:
        """Say the answer to a request that others will answer too; theirs is then dropped."""
        self.say(json.dumps(answer), answer["id"])
        self._greeted.append(answer["id"])

    def say(self, text: str, asked: object = None) -> None:
        """Say one message, the answer to the request of that id where it is one. Where nobody listens any
        more, that is the end."""
        if asked in self._greeted:
            self._greeted.remove(asked)
            return
        self._say(text.strip().encode() + b"\n")
        with self._changed:
            self._open.discard(_key(asked))
            self._changed.notify_all()

    def may_say_at_once(self, text: str) -> bool:
        """Whether `say` would not wait for the client."""
        return not self._saying.locked() and has_room(self._outgoing, len(text.encode()) + 1)

    def _say(self, line: bytes) -> None:
        left = memoryview(line)
        try:
            with self._saying:  # what `hear` refuses may not come amid an answer that waits for its reader
                while left:
                    left = left[os.write(self._outgoing, left) :]
        except OSError:  # the client is gone
            self.end()

    def _line(self) -> bytes | None:
        """The next line that holds something; `None` at the end."""
        while not self._lines:
            if self._ended or not self._read():
                return None
        return self._lines.pop(0)

    def _read(self) -> bool:
        """Take in what is there; whether anything was."""
        ready, _, _ = select.select([self._incoming, self._wake], [], [])
        chunk = b"" if self._wake in ready else os.read(self._incoming, _CHUNK)
        if not chunk:
            self._ended = True
            self._finish_line()  # a last line may lack its end
            return bool(self._lines)
        first, *others = chunk.split(b"\n")
        self._begun += first
        for one in others:
            self._finish_line()
            self._begun += one
        if len(self._begun) > LONGEST:
            self._begun.clear()
            self._skipping = True
        return True

    def _finish_line(self) -> None:
        if self._skipping:
            why = f"a message may have {LONGEST:,} bytes; this one was skipped"
            self._refuse(refusal(INVALID_REQUEST, why))
            self._skipping = False
        elif self._begun.strip():
            self._lines.append(bytes(self._begun))
        self._begun.clear()

    def _checked(self, line: bytes) -> Message | None:
        """The message, `None` where it was none and that is said."""
        try:
            return message_in(line)
        except NoMessage as error:
            self._refuse(error.answer)
            return None

    def _refuse(self, answer: Message) -> None:
        self._say(json.dumps(answer).encode() + b"\n")

    def _note(self, message: Message) -> None:
        """Keep in mind which requests wait for an answer; one that is called off gets none."""
        with self._changed:
            if message.get("method") == "notifications/cancelled":
                given = message.get("params", {}).get("requestId")
                self._open.discard(_key(given))
                self._changed.notify_all()
            elif "method" in message and "id" in message:
                self._open.add(_key(message["id"]))

    def _await_answers(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._open, LEAVING)


def _key(asked: object) -> object:
    """1, 1.0 and true are not one id."""
    return type(asked).__name__, asked if isinstance(asked, str | int) else repr(asked)
