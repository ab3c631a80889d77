"""A vault whose resident runs: asked, killed, stopped, and never left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.cases.beside_git import PACKAGE, Answer, Desk, vmem_command, vmem_environment
from tests.said import SilenceError, said
from vault_memory.surfaces.resident import door

SOON = 30.0
"""Seconds for what must come by itself, on however busy a machine."""
NEVER_ON_STDERR = ("database is locked", "Traceback", "this is a bug")


@dataclass(slots=True)
class Kept:
    """A vault that a resident keeps open, by the wall's clock. Commands are processes, as at the prompt."""

    desk: Desk
    pids: list[int] = field(default_factory=list)
    """Every resident that was seen."""
    killed: set[int] = field(default_factory=set)
    """Those that could not take their sockets away."""

    @property
    def root(self) -> Path:
        return self.desk.root

    def start(self) -> int:
        """Start the resident, or find it; its number."""
        return self._seen(self.json("daemon", "start")["pid"])

    def vmem(self, *argv: str, stdin: str = "", **variables: str) -> Answer:
        """A command, which may start a resident; never a traceback, never a word of SQLite's."""
        answer = self.desk.process(*argv, stdin=stdin, env=variables)
        for word in NEVER_ON_STDERR:
            assert word not in answer.err, answer.err
        return answer

    def json(self, *argv: str, stdin: str = "", **variables: str) -> Any:
        """The value of a command that must succeed."""
        answer = self.vmem(*argv, "--json", stdin=stdin, **variables)
        assert answer.code == 0, answer.err
        return answer.value

    def begin(self, *argv: str, **variables: str) -> subprocess.Popen[str]:
        """A command that is not waited for."""
        return subprocess.Popen(
            vmem_command(self.root, *argv), cwd=self.root.parent, env=vmem_environment(variables),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def call(self, verb: str, agent: str | None = None, **args: Any) -> Any:
        """The answer to a program that asks by the socket: `{"value": …}` or `{"error": …}`."""
        answer = said(self.root, "call", verb=verb, agent=agent, args=args)
        assert answer is not None, "nobody listens"
        assert not any(word in json.dumps(answer) for word in NEVER_ON_STDERR), answer
        return answer

    def value(self, verb: str, agent: str | None = None, **args: Any) -> Any:
        """The same, which must succeed."""
        answer = self.call(verb, agent, **args)
        assert "value" in answer, answer
        return answer["value"]

    def found(self, word: str) -> list[str]:
        """The paths that a search by the socket finds."""
        return [str(hit["path"]) for hit in self.value("search", query=word)["hits"]]

    def flush(self) -> None:
        """Have the resident commit what waits, and end what it is at."""
        answer = said(self.root, "flush")
        assert answer is not None, "nobody listens"
        assert answer["value"]["waiting"] == 0, answer

    def pid(self) -> int | None:
        """The resident that answers now."""
        with suppress(SilenceError):
            answer = said(self.root, "state")
            if answer is not None:
                return self._seen(int(answer["value"]["pid"]))
        return None

    def signal(self, number: signal.Signals) -> int:
        """Send the resident a signal; its number."""
        pid = self.pid()
        assert pid is not None, "nobody listens"
        os.kill(pid, number)
        if number is signal.SIGKILL:
            self.killed.add(pid)
            wait_until(lambda: not is_alive(pid))
        return pid

    def end(self) -> None:
        """Let no resident of this vault live on, and say whether one had to be killed."""
        self.pid()
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        with suppress(SilenceError):
            said(self.root, "stop")
        left = [pid for pid in self.pids if not waited_until(lambda pid=pid: not is_alive(pid))]  # type: ignore[misc]
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert left == [], "a resident that was asked to stop lives on"

    def _seen(self, pid: int) -> int:
        if pid not in self.pids:
            self.pids.append(pid)
        return pid


@contextmanager
def runtime_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where sockets lie, in a path that is short enough; commands may start residents, as on a person's own
    machine, and git is told nothing by variables, which would keep writes from them."""
    with tempfile.TemporaryDirectory(prefix="vmem-run-") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        for name in ("VMEM_RESIDENT", "CI", *[name for name in os.environ if name.startswith("GIT_")]):
            monkeypatch.delenv(name, raising=False)
        yield Path(folder)


@contextmanager
def kept_open(desk: Desk) -> Iterator[Kept]:
    """The vault, searched by its words alone; whatever residents it got are gone afterwards, and so are
    their sockets."""
    kept = Kept(desk)
    desk.json("config", "embedder", "none")
    try:
        yield kept
    finally:
        kept.end()
    left = [Path(place) for place in door.places_of(str(kept.root)) if Path(place).exists()]
    for place in left:
        place.unlink()
    assert not left or kept.killed, f"sockets were left: {left}"


def is_alive(pid: int) -> bool:
    """Whether that process is there and no zombie (where the system can tell).

    All of its threads count: the first may have ended while another still holds files and sockets open."""
    return any(_runs(stat) for stat in (Path("/proc") / str(pid) / "task").glob("*/stat"))


def _runs(stat: Path) -> bool:
    try:
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def waited_until(is_so: Callable[[], bool], seconds: float = SOON) -> bool:
    """Whether it came to be so within that time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def wait_until(is_so: Callable[[], bool], seconds: float = SOON) -> None:
    """Wait for a fact."""
    assert waited_until(is_so, seconds), "it never came to be so"


__all__ = ["PACKAGE", "Kept", "is_alive", "kept_open", "runtime_folder", "wait_until", "waited_until"]
