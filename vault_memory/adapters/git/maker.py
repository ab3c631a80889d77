"""A process that makes commits for another one: requests on stdin, answers on stdout, one JSON line each.

Started by `apart`. It ends when its stdin does, or when it was asked nothing for a while.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from vault_memory.adapters.git.history import GitHistory
from vault_memory.adapters.git.told import heard, told_report
from vault_memory.config import given
from vault_memory.model.revision import Author

IDLE_SECONDS = 60.0
"""So long it waits for the next request."""


class _ToldClock:
    """The time that the other process told with its request."""

    def __init__(self) -> None:
        self._now, self._now_ns = datetime.fromtimestamp(0, UTC), 0

    def set(self, now: str, now_ns: int) -> None:
        """Take the time of a request."""
        self._now, self._now_ns = datetime.fromisoformat(now), now_ns

    def now(self) -> datetime:
        """The request's."""
        return self._now

    def now_ns(self) -> int:
        """The request's, in nanoseconds."""
        return self._now_ns


def _commit(history: GitHistory, asked: dict[str, Any]) -> dict[str, Any]:
    return told_report(history.commit(heard(asked["intents"])))


def _heal(history: GitHistory, _: dict[str, Any]) -> dict[str, Any]:
    history.heal()
    return {}


def _busy(history: GitHistory, _: dict[str, Any]) -> dict[str, Any]:
    return {"busy": history.busy()}


_DOES: dict[str, Callable[[GitHistory, dict[str, Any]], dict[str, Any]]] = {
    "commit": _commit,
    "heal": _heal,
    "busy": _busy,
}


def main() -> None:
    """Answer until the other one is gone, or has nothing to ask any more."""
    # Ctrl-C goes to all processes of a terminal: the one that asks decides. A handler, not `SIG_IGN`,
    # which hooks would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    # What a library prints must not look like an answer.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lines = _Lines()
    asked = lines.next()
    if asked is None:
        return
    clock = _ToldClock()
    identity = asked["identity"]
    history = GitHistory(
        Path(asked["root"]),
        clock=clock,
        local=None if asked["local"] is None else Path(asked["local"]),
        identity=None if identity is None else Author(*identity),
        lock_wait=asked["lock_wait"],
        git_timeout=asked["git_timeout"],
    )
    while (asked := lines.next()) is not None:
        clock.set(asked["now"], asked["now_ns"])
        caller = asked["caller"]
        with nullcontext() if caller is None else given.as_caller(*caller):
            answer = _DOES[asked["do"]](history, asked)
        try:
            answers.write(json.dumps(answer).encode("ascii") + b"\n")
        except BrokenPipeError:  # whoever asked was killed; the next one finds what is done in git
            return


class _Lines:
    """The requests on stdin, one a line."""

    def __init__(self) -> None:
        self._rest = b""

    def next(self) -> dict[str, Any] | None:
        """The next request, `None` where none comes."""
        while b"\n" not in self._rest:
            if sys.platform != "win32" and not select.select([0], [], [], IDLE_SECONDS)[0]:
                return None
            more = os.read(0, 1 << 20)
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found


if __name__ == "__main__":
    main()
