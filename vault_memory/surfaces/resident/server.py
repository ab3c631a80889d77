"""The resident's life: it listens, gives each caller a thread, and ends when nobody needs it any more."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from vault_memory.errors import UsageError, VmemError
from vault_memory.model import wireerror
from vault_memory.model.wire import Json
from vault_memory.surfaces.resident.answers import Answers
from vault_memory.surfaces.resident.lines import EndedError, Lines, UnreadableError
from vault_memory.surfaces.resident.listening import Listening
from vault_memory.surfaces.resident.log import Log

MOST_CALLERS = 128
"""So many are listened to at a time."""
FULL = "too many callers at once"
TICK = 1.0
"""Seconds between two looks at whether it is still needed."""
GONE_TICKS = 3
"""So many looks in a row must not find the vault before it is taken for gone."""
LAST_ANSWERS = 30.0
"""Seconds that ending waits for answers under way, before their callers are cut off."""

GONE = "the vault is not there any more"
UNREACHABLE = "it can't be reached any more"


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a caller may take: for the first line, between two, and for each line to be whole."""

    first: float = 10.0
    between: float = 900.0
    whole: float = 60.0


class Server:
    """Answers callers until `end` is called, or nobody has asked for long."""

    def __init__(
        self, answers: Answers, listening: Listening, log: Log, *, patience: Patience | None = None
    ) -> None:
        self._answers = answers
        self._listening = listening
        self._log = log
        self._patience = patience or Patience()
        self._mutex = threading.Lock()
        self._callers: dict[threading.Thread, socket.socket] = {}
        """Seen by the thread that serves alone."""
        self._asked = time.monotonic()
        self._busy = 0
        self._reason: str | None = None
        self._woken, self._wake = socket.socketpair()
        self._wake.setblocking(False)

    def end(self, reason: str) -> None:
        """Let it end; may be called from any thread, and by what handles a signal."""
        self._reason = self._reason or reason
        with suppress(OSError):  # full: then it is awake already
            self._wake.send(b"x")

    def serve(self) -> str:
        """Answer, and in the end say why it ended. What is listened at is closed then, and no caller is
        left; the vault is for the caller to close."""
        try:
            while (reason := self._reason) is None:
                self._wait()
                needless = self._needless()
                if needless is not None:
                    self.end(needless)
        finally:
            self._listening.close()
            self._part()
            self._woken.close()
            self._wake.close()
        return reason

    def _wait(self) -> None:
        """Take callers in for one tick."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            for listener in self._listening.sockets:
                selector.register(listener, selectors.EVENT_READ)
            until = time.monotonic() + TICK
            while self._reason is None and (rest := until - time.monotonic()) > 0:
                for key, _ in selector.select(rest):
                    if key.fileobj is not self._woken:
                        assert isinstance(key.fileobj, socket.socket)
                        self._take(key.fileobj)

    def _take(self, listener: socket.socket) -> None:
        """Take one caller in."""
        try:
            peer, _ = listener.accept()
        except OSError:
            time.sleep(0.01)  # out of file numbers, say: whoever waits is taken a little later
            return
        self._callers = {thread: one for thread, one in self._callers.items() if thread.is_alive()}
        if len(self._callers) >= MOST_CALLERS or not self._begin(peer):
            peer.settimeout(0)
            with peer, suppress(EndedError):
                Lines(peer).say({"unfit": FULL})

    def _begin(self, peer: socket.socket) -> bool:
        """Give a caller a thread; whether the system had one."""
        thread = threading.Thread(target=self._converse, args=(peer,), name="vmem-caller")
        try:
            thread.start()
        except RuntimeError:
            return False
        self._callers[thread] = peer
        return True

    def _converse(self, peer: socket.socket) -> None:
        """Answer one caller until they go, or say nothing for long."""
        with peer, suppress(EndedError):
            if self._listening.is_welcome(peer):
                self._answer_all(_Caller(Lines(peer), self._patience))

    def _answer_all(self, caller: _Caller) -> None:
        begin = self._patience.first
        while self._reason is None:
            try:
                request = caller.lines.hear(begin=begin, whole=self._patience.whole)
            except UnreadableError as error:
                caller.tell(_unreadable(error))
                if error.last:
                    return
                continue
            begin = self._patience.between
            with self._mutex:
                self._busy += 1
            try:
                caller.tell(self._answers.answer(request, caller))
            finally:
                with self._mutex:
                    self._busy -= 1
                    self._asked = time.monotonic()
                if self._answers.ending is not None:
                    self.end(self._answers.ending)

    def _needless(self) -> str | None:
        """Why the resident is not needed any more."""
        idle = self._answers.live.settings["resident_idle_seconds"]
        with self._mutex:
            quiet = 0.0 if self._busy else time.monotonic() - self._asked
        if idle and quiet > idle:
            return f"nobody asked for {idle:g} seconds"
        live = self._answers.live
        if not live.is_there():
            for _ in range(GONE_TICKS - 1):
                time.sleep(TICK / 2)
                if live.is_there():
                    return None
            return GONE
        if not self._listening.is_whole():
            return self._listen_again()
        return None

    def _listen_again(self) -> str | None:
        try:
            self._listening.open()
        except VmemError as error:
            self._log.failed("listening again", error)
            return UNREACHABLE
        self._log.note("listens again: what callers look for had been taken away")
        return None

    def _part(self) -> None:
        """Let those who wait for nothing go, and wait for the answers that are under way."""
        deadline = time.monotonic() + LAST_ANSWERS
        for how in (socket.SHUT_RD, socket.SHUT_RDWR):
            for peer in self._callers.values():
                with suppress(OSError):  # they went by themselves
                    peer.shutdown(how)
            for thread in self._callers:
                thread.join(max(0.0, deadline - time.monotonic()) if how == socket.SHUT_RD else None)


@dataclass(frozen=True, slots=True)
class _Caller:
    """The `Peer` at the other end of a connection."""

    lines: Lines
    patience: Patience

    def tell(self, value: Json) -> None:
        self.lines.say(value)

    def ask(self, value: Json) -> Json:
        self.lines.say(value)
        return self.lines.hear(begin=self.patience.whole, whole=self.patience.whole)


def _unreadable(error: UnreadableError) -> Json:
    wrong = UsageError(f"the request can't be read: {error}", hint="one JSON object a line, in ASCII")
    return {"error": wireerror.error(wrong)}
