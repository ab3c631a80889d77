"""A resident of a made-up vault and a process that asks it, from their start to their certain end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vault_memory.config import environ
from vault_memory.errors import VmemError
from vault_memory.evaluate.launch import Run, run
from vault_memory.evaluate.live import usage

IDLE_SECONDS = 900
"""After so long it would end by itself, even if the bench were killed."""
LAST_ANSWER = 2.0
"""Seconds that the process which asks has to end."""
COMMAND = (sys.executable, "-P", "-X", "utf8", "-m", "vault_memory")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answers:
    """Of each line: the milliseconds it took, when it was over (monotonic nanoseconds), what came back."""

    took: tuple[float, ...]
    at: tuple[int, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rise:
    """The start of a resident in milliseconds: until it listened; from then until the question of that moment
    was answered; and how long its first comparison of all files took (`None`: not told in time)."""

    up: float
    answered: float
    compared: float | None
    value: Any


class Failed(VmemError):  # noqa: N818 - what happened, not a kind of error of the product
    """The resident did not do what was asked; the text says what it did instead."""


class Home:
    """Where the residents of one run have their sockets: a folder that no person's resident knows."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds no settings."""
        self.runtime = Path(tempfile.mkdtemp(prefix="vmem-b-"))  # short: a socket's path has little room
        without = environ.without_settings(folder)
        # Where CI is set no resident is started, and a write of who sets GIT_… is not left to one.
        self._without = {
            name: text for name, text in without.items() if name != "CI" and not name.startswith("GIT_")
        }

    def environment(self, embedder: str) -> dict[str, str]:
        """That of a `vmem` which starts a resident where none is, and of the resident."""
        return self._without | {
            "XDG_RUNTIME_DIR": str(self.runtime),
            "VMEM_RESIDENT": "auto",
            "VMEM_RESIDENT_IDLE_SECONDS": str(IDLE_SECONDS),
            "VMEM_EMBEDDER": embedder,
            "VMEM_RERANKER": "none",
        }

    def close(self) -> None:
        """End whatever was started with this folder."""
        for pid in usage.born_of(str(self.runtime)):
            usage.end(pid)
        shutil.rmtree(self.runtime, ignore_errors=True)


class Resident:
    """The resident of one vault, and the process that asks it."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self.root = root
        self.environment = environment
        self._pid: int | None = None
        self._asks: subprocess.Popen[str] | None = None

    def vmem(self, *argv: str) -> Run:
        """Run a command on the vault. Raises `Failed`."""
        try:
            return run([*COMMAND, "--vault", str(self.root), *argv], self.environment)
        except subprocess.CalledProcessError as error:
            said = (error.stderr or error.stdout or "").strip().splitlines()
            raise Failed(
                f"vmem {argv[0]} ended with {error.returncode}: {said[0] if said else ''}"
            ) from error

    def start(self) -> Run:
        """Have `vmem daemon start` start it, and say what that command cost."""
        ran = self.vmem("daemon", "start")
        self._note_pid()
        return ran

    def wait(self, seconds: float) -> None:
        """Until it answers, however it was started. Raises `Failed`."""
        until = time.monotonic() + seconds
        while True:
            try:
                return self._note_pid()
            except Failed:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def rise(self, question: Json, within: float) -> Rise:
        """Have it started, and ask it the very moment that it listens. Raises `Failed`."""
        began = time.monotonic_ns()
        argv = [*COMMAND, "--vault", str(self.root), "daemon", "start"]
        with subprocess.Popen(
            argv, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as start:
            said = self._job({"rising": within, "question": question})
            start.communicate()
        self._note_pid()
        compared = said["compared"]
        return Rise(
            (said["up"] - began) / 1e6,
            (said["answered"] - said["up"]) / 1e6,
            compared[0] * 1000 if compared else None,
            value(said["value"]),
        )

    def stop(self) -> None:
        """End it, in its own way where that works; gone is gone."""
        if self._asks is not None:
            self._part()
        if self._pid is None:
            return
        try:
            with suppress(Failed):  # it is made to end below
                self.vmem("daemon", "stop")
        finally:
            usage.end(self._pid)
            self._pid = None

    @property
    def pid(self) -> int:
        """Its process. Raises `Failed` where none answers."""
        if self._pid is None:
            self._note_pid()
        assert self._pid is not None
        return self._pid

    def ask(self, line: Json, *, link: str = "") -> Any:
        """The value that comes back for one line."""
        return self.ask_all([line], link=link).values[0]

    def ask_all(self, lines: Sequence[Json], *, pause: float = 0.0, link: str = "") -> Answers:
        """Ask one after the other, `pause` seconds between. Raises `Failed` where one is no answer."""
        said = self._job({"lines": list(lines), "pause": pause, "link": link})
        values = [value(line) for line in said["values"]]
        return Answers(tuple(said["took"]), tuple(said["at"]), tuple(values))

    def connected(self, agent: str, calls: Sequence[tuple[str, Json]]) -> Answers:
        """The same through `vault_memory.connect`: (verb, arguments) each. Raises `Failed`."""
        said = self._job({"connect": list(calls), "agent": agent})
        return Answers(tuple(said["took"]), tuple(said["at"]), tuple(said["values"]))

    def _job(self, job: Json) -> Json:
        if self._asks is None:
            self._asks = subprocess.Popen(
                [sys.executable, "-P", "-m", "vault_memory.evaluate.live.caller", str(self.root)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self.environment,
                encoding="utf-8",
                start_new_session=True,  # Ctrl-C is for the bench, which ends it
            )
        assert self._asks.stdin is not None
        assert self._asks.stdout is not None
        self._asks.stdin.write(json.dumps(job) + "\n")
        self._asks.stdin.flush()
        line = self._asks.stdout.readline()
        if not line:
            raise Failed("the process that asks the resident has ended")
        said: Json = json.loads(line)
        if "failed" in said:
            raise Failed(f"the resident could not be asked: {said['failed']}")
        return said

    def _part(self) -> None:
        """End the process that asks; one that is in the middle of it has to."""
        asks, self._asks = self._asks, None
        assert asks is not None
        assert asks.stdin is not None
        assert asks.stdout is not None
        with suppress(BrokenPipeError):
            asks.stdin.close()
        try:
            asks.wait(LAST_ANSWER)
        except subprocess.TimeoutExpired:
            asks.kill()
            asks.wait()
        asks.stdout.close()

    def _note_pid(self) -> None:
        state = self.ask({"do": "state"})
        self._pid = int(state["pid"])


def value(line: Json) -> Any:
    """What an answer holds. Raises `Failed` for an error, and for no answer."""
    if "value" in line:
        return line["value"]
    error = line.get("error") or {}
    raise Failed(f"the resident said {error.get('message') or line.get('unfit') or line}")


def call(verb: str, agent: str | None = "akashi", **given: object) -> Json:
    """The line that asks for a verb."""
    return {"do": "call", "verb": verb, "agent": agent, "args": given}
