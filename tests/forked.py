"""Processes of `vmem` that begin in a moment: forked from one that has imported all of it (`tests.stem`).

Each is a process with a number, an environment, a working folder and streams of its own, and does what
`python -m vault_memory` does; only Python's start and the imports, which are most of what a short call
takes, it need not do again. Where the start is the claim, or something that counts at the start, the
interpreter is started; with `FRESH_PROCESSES=1` it always is."""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[1]
FRESH = "FRESH_PROCESSES"
WORTH_IT = 2
"""Processes of one kind that are started before others are forked."""

_READ_WHEN_USED = frozenset({"HOME", "CI", "TZ", "EDITOR", "VISUAL", "PAGER", "OLDPWD", "PWD"})
_READ_WHEN_USED_TOO = ("VMEM_", "XDG_", "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_", "PYTEST_", "COMP_",
                       "_VMEM_COMPLETE", "_TYPER_COMPLETE")  # fmt: skip
"""Variables that no module reads when it is imported, nor Python when it starts: a process may be given
others than those under which all was imported."""

_LANGUAGE = ("LC_", "LANG", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE")
"""In which letters Python speaks is settled before the first import: others than ours start by themselves."""
_OURS = {("LANG", "C.UTF-8")}

Bytes = subprocess.CompletedProcess[bytes]


def run_vmem(
    argv: Sequence[str | bytes],
    *,
    stdin: bytes,
    environment: Mapping[str, str],
    cwd: Path,
    seconds: float = 60.0,
    user: int | None = None,
) -> Bytes:
    """`vmem` as a process of its own, waited for. `subprocess.TimeoutExpired` after so many seconds.

    Where we may become anybody, it becomes that user, who may not be allowed to read the modules: it is
    always forked then."""
    given = dict(environment)
    if given.get("PYTHONPATH") == os.environ.get("PYTHONPATH"):
        given["PYTHONPATH"] = str(REPOSITORY)
    fresh = user is None and bool(os.environ.get(FRESH))
    stem = None if fresh else _stem_for(given, at_once=user is not None)
    if stem is not None:
        umask = os.umask(0o077)  # the only way to read it is to set it
        os.umask(umask)
        words = [os.fsdecode(word) for word in argv]
        call = {"argv": words, "environment": given, "cwd": str(cwd), "umask": umask, "user": user}
        return stem.run(call, stdin, seconds)
    return subprocess.run(
        [sys.executable, "-m", "vault_memory", *argv],
        input=stdin, capture_output=True, cwd=cwd, env=given, timeout=seconds, check=False,
    )  # fmt: skip


@dataclass(slots=True)
class _Stem:
    """The process to fork from, and the line to it. Threads may ask it at once."""

    program: subprocess.Popen[bytes]
    orders: socket.socket
    lives: bool
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def grow(cls, environment: Mapping[str, str]) -> _Stem:
        """Begin it, and wait until it has imported all. It `lives` unless it could not."""
        ours, theirs = socket.socketpair()
        with theirs:
            program = subprocess.Popen(
                [sys.executable, "-m", "tests.stem", str(theirs.fileno())],
                # One thread, or forks would lack the others.
                cwd=REPOSITORY, env={**environment, "OPENBLAS_NUM_THREADS": "1"},
                pass_fds=[theirs.fileno()], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        ready = ours.recv(1)
        return cls(program, ours, lives=bool(ready))

    def run(self, call: Mapping[str, Any], stdin: bytes, seconds: float) -> Bytes:
        """One process, from its begin to its end."""
        (read_in, write_in), (read_out, write_out), (read_err, write_err), (read_end, write_end) = (
            os.pipe() for _ in range(4)
        )
        with tempfile.TemporaryFile() as told:
            told.write(json.dumps(call).encode())
            told.seek(0)
            theirs = [read_in, write_out, write_err, told.fileno(), write_end]
            with self.lock:
                socket.send_fds(self.orders, [b"."], theirs)
        for one in (read_in, write_out, write_err, write_end):
            os.close(one)
        try:
            until = time.monotonic() + seconds
            return _Talk(write_in, stdin, [read_out, read_err, read_end], until).end(call["argv"])
        finally:
            for one in (read_out, read_err, read_end):
                os.close(one)

    def end(self) -> None:
        """End it; what it has forked has ended before."""
        self.orders.close()
        assert self.program.stdin is not None
        self.program.stdin.close()
        self.program.wait(60)


@dataclass(slots=True)
class _Talk:
    """What goes to a process and what comes from it; the last of the three pipes tells of itself."""

    feeding: int
    left: bytes
    reading: list[int]
    until: float
    heard: list[bytes] = field(default_factory=lambda: [b"", b"", b""])

    def end(self, argv: Sequence[str]) -> Bytes:
        """All it said, and how it ended."""
        begun = time.monotonic()
        with selectors.DefaultSelector() as waiting:
            for place, pipe in enumerate(self.reading):
                waiting.register(pipe, selectors.EVENT_READ, place)
            if self.left:
                os.set_blocking(self.feeding, False)
                waiting.register(self.feeding, selectors.EVENT_WRITE)
            else:
                os.close(self.feeding)
            while waiting.get_map():
                ready = waiting.select(max(0.0, self.until - time.monotonic()))
                if not ready and time.monotonic() >= self.until:
                    self._give_up(waiting)
                    raise subprocess.TimeoutExpired(argv, time.monotonic() - begun, *self.heard[:2])
                for key, _ in ready:
                    if key.fd == self.feeding:
                        self._feed(waiting)
                    elif not self._hear(key.fd, key.data):
                        waiting.unregister(key.fd)
        _, status = self.heard[2].split()
        return subprocess.CompletedProcess(argv, int(status), self.heard[0], self.heard[1])

    def _hear(self, pipe: int, place: int) -> bytes:
        said = os.read(pipe, 1 << 16)
        self.heard[place] += said
        return said

    def _feed(self, waiting: selectors.BaseSelector) -> None:
        try:
            self.left = self.left[os.write(self.feeding, self.left) :]
        except BrokenPipeError:  # it ended without reading all
            self.left = b""
        if not self.left:
            waiting.unregister(self.feeding)
            os.close(self.feeding)

    def _give_up(self, waiting: selectors.BaseSelector) -> None:
        if self.feeding in waiting.get_map():
            os.close(self.feeding)
        if pid := self.heard[2].partition(b"\n")[0]:
            os.kill(int(pid), signal.SIGKILL)


Start = frozenset[tuple[str, str]]
"""The variables that count when Python starts and modules are imported."""

_stems: dict[Start, _Stem] = {}
_asked: Counter[Start] = Counter()
_growing = threading.Lock()


def _stem_for(environment: Mapping[str, str], *, at_once: bool) -> _Stem | None:
    """The stem of processes that start like that; `None` where so few have been asked for that it would
    cost more than it saves, and where a module can't be imported: let those who need it say so."""
    start = frozenset(
        (name, text)
        for name, text in environment.items()
        if name not in _READ_WHEN_USED and not name.startswith(_READ_WHEN_USED_TOO)
    )
    if not at_once and any(name.startswith(_LANGUAGE) and (name, text) not in _OURS for name, text in start):
        return None
    with _growing:
        _asked[start] += 1
        if start not in _stems and (at_once or _asked[start] > WORTH_IT):
            _stems[start] = _Stem.grow(environment)
        stem = _stems.get(start)
        return stem if stem is not None and stem.lives else None


def end() -> None:
    """At the end of the run: nothing is left."""
    while _stems:
        _stems.popitem()[1].end()
