"""Commits made by a process of their own, so that those who write meanwhile have this one's interpreter.

libgit2 holds Python's lock while it writes trees and objects: some milliseconds a commit, in which no
other thread of the process moves.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from vault_memory.adapters.git.history import GitHistory
from vault_memory.adapters.git.told import heard_report, told
from vault_memory.config import given
from vault_memory.model.revision import Author, CommitReport, Intent
from vault_memory.ports import Clock, Progress, no_progress

ENDING_SECONDS = 5.0
"""So long a process that is to end may take before it is killed."""
_COMMAND = ("-P", "-X", "utf8", "-m", "vault_memory.adapters.git.maker")


class HistoryApart(GitHistory):
    """The same history, whose `commit` is done by another process; so are `heal` and `busy` while that is
    there, since it knows what it did.

    Where it can't be started or dies under its work, all is done here: what it had half landed is healed as
    after any kill. `close()` ends it.
    """

    def __init__(
        self,
        root: Path,
        *,
        clock: Clock,
        local: Path | None = None,
        identity: Author | None = None,
        lock_wait: float = 10.0,
        git_timeout: float = 20.0,
    ) -> None:
        super().__init__(
            root, clock=clock, local=local, identity=identity, lock_wait=lock_wait, git_timeout=git_timeout
        )
        self._told_time = clock
        self._setting = {
            "root": str(root),
            "local": None if local is None else str(local),
            "identity": None if identity is None else [identity.name, identity.email],
            "lock_wait": lock_wait,
            "git_timeout": git_timeout,
        }
        self._mutex = threading.Lock()
        self._maker: subprocess.Popen[bytes] | None = None
        self._closed = False

    def commit(self, intents: Sequence[Intent], *, progress: Progress = no_progress) -> CommitReport:
        """One commit an intent; whatever git says no to is in the report."""
        if intents:
            with self._mutex:
                answer = self._ask("commit", start=True, intents=told(intents))
            with suppress(KeyError, ValueError, TypeError):
                return heard_report(answer or {})
            super().heal()
        return super().commit(intents, progress=progress)

    def heal(self) -> None:
        """Take a dead writer's locks and folders away, and finish what it had half landed."""
        with self._mutex:
            answer = self._ask("heal")
        if answer is None:
            super().heal()

    def busy(self) -> bool:
        """Whether another git is at work here, or was a moment ago."""
        answer = None
        if self._mutex.acquire(blocking=False):
            try:
                answer = self._ask("busy")
            finally:
                self._mutex.release()
        return super().busy() if answer is None else bool(answer["busy"])

    def close(self) -> None:
        """End the other process, after what it is at."""
        with self._mutex:
            self._closed = True
            self._let_go()

    def _ask(self, what: str, *, start: bool = False, **more: object) -> dict[str, Any] | None:
        """The answer of the other process; `None` where there is none, or where it died."""
        maker = self._running(start=start)
        if maker is None or maker.stdin is None or maker.stdout is None:
            return None
        asked = {
            "do": what,
            "now": self._told_time.now().isoformat(),
            "now_ns": self._told_time.now_ns(),
            "caller": given.caller(),
            **more,
        }
        try:
            maker.stdin.write(json.dumps(asked).encode("ascii") + b"\n")
            maker.stdin.flush()
            line = maker.stdout.readline()
            if line.endswith(b"\n"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        except (OSError, ValueError):
            pass
        self._let_go()
        return None

    def _running(self, *, start: bool) -> subprocess.Popen[bytes] | None:
        """The other process, started where it is wanted and not there."""
        if self._maker is not None and self._maker.poll() is not None:
            self._let_go()  # it had nothing to do for long
        if self._maker is None and start and not self._closed:
            with suppress(OSError):
                self._maker = subprocess.Popen(
                    [sys.executable, *_COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
                assert self._maker.stdin is not None
                self._maker.stdin.write(json.dumps(self._setting).encode("ascii") + b"\n")
        return self._maker

    def _let_go(self) -> None:
        """Wait for the process to end, now that nobody asks it any more."""
        maker, self._maker = self._maker, None
        if maker is None:
            return
        for end in (maker.stdin, maker.stdout):
            if end is not None:
                with suppress(OSError):
                    end.close()
        try:
            maker.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            maker.kill()
            maker.wait()
