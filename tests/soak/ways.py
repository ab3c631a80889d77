"""The ways into a vault that a soak takes: the socket, commands, and programs that open it themselves.

Each is asked in the same words and answers with the JSON that the product gives, or raises: `RefusedError`
where it said no, `CutError` where whoever was asked is dead and nobody knows what they had done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.said import SilenceError, said
from tests.soak.known import Known

PACKAGE = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds after which an answer counts as none."""
KEEP_OUT = {"CI", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"}
"""Variables by which a resident is not started, or not asked to write."""
NEVER_SAID = ("database is locked", "Traceback", "this is a bug")


class RefusedError(Exception):
    """The product said no; `kind` is its error's name."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(f"{kind}: {said}")
        self.kind = kind


class CutError(Exception):
    """Nobody knows whether it was done."""


class Way(Protocol):
    """One way in."""

    @property
    def name(self) -> str: ...

    def ask(self, verb: str, agent: str | None, **args: Any) -> Any: ...


@dataclass(slots=True)
class Lives:
    """The processes of a soak that may be killed."""

    running: dict[int, tuple[str, subprocess.Popen[str]]] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def born(self, what: str, process: subprocess.Popen[str]) -> None:
        with self._guard:
            self.running[process.pid] = what, process

    def dead(self, process: subprocess.Popen[str]) -> None:
        with self._guard:
            self.running.pop(process.pid, None)

    def victims(self) -> list[tuple[str, subprocess.Popen[str]]]:
        """What each of them is, and itself."""
        with self._guard:
            return sorted(self.running.values(), key=lambda one: one[1].pid)


@dataclass(slots=True)
class Command:
    """`vmem …` as a process of its own; `resident` is `auto` or `off`, as in the settings."""

    root: Path
    known: Known
    lives: Lives
    resident: str
    killable: bool = False

    @property
    def name(self) -> str:
        return f"a command (resident {self.resident})"

    def ask(self, verb: str, agent: str | None, **args: Any) -> Any:
        argv, stdin = COMMANDS[verb](dict(args))
        who = [] if agent is None else ["--agent", agent]
        process = subprocess.Popen(
            [sys.executable, "-m", "vault_memory", "--vault", str(self.root), *who, *argv, "--json"],
            cwd=PACKAGE, env=environment(VMEM_RESIDENT=self.resident), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        if self.killable:
            self.lives.born("a command", process)
        try:
            out, err = process.communicate(stdin, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.known.blame(f"vmem {' '.join(argv[:2])} has not answered in {PATIENCE:.0f} s")
            raise CutError from None
        finally:
            self.lives.dead(process)
        if process.returncode == -signal.SIGKILL:
            raise CutError
        for word in NEVER_SAID:
            if word in err:
                self.known.blame(f"vmem {' '.join(argv[:2])} said: {err[-800:]}")
        if process.returncode:
            raise _refused(err)
        try:
            return json.loads(out)
        except ValueError:
            self.known.blame(f"vmem {' '.join(argv[:2])} wrote no JSON: {out[:200]!r}")
            raise CutError from None


def _refused(err: str) -> RefusedError:
    try:
        error = json.loads(err)["error"]
    except ValueError:
        # Notices may stand before it.
        with suppress(ValueError):
            error = json.loads(err[err.index("{\n") :])["error"]
            return RefusedError(error["kind"], error["message"])
        return RefusedError("words", err.strip())
    return RefusedError(error["kind"], error["message"])


COMMANDS: Mapping[str, Any] = {
    "remember": lambda a: (
        ["remember", "-", "--title", a["title"], *_given("--namespace", a), *_given("--ttl", a)],
        a["text"],
    ),
    "edit": lambda a: (["edit", a["ref"], "--text", "-"], a["text"]),
    "forget": lambda a: (["forget", a["ref"]], ""),
    "search": lambda a: (["search", a["query"], "--limit", "20"], ""),
    "recall": lambda a: (["recall", a["query"], "--max-tokens", "4000"], ""),
    "list": lambda a: (["list"], ""),
    "gc": lambda a: (["gc", "--yes", "--now", a["now"]], ""),
    "status": lambda a: (["status"], ""),
    "flush": lambda a: (["flush"], ""),
}
"""How a question is put to the command line: words and stdin."""


def _given(option: str, args: Mapping[str, Any]) -> list[str]:
    value = args.get(option.removeprefix("--"))
    return [] if value is None else [option, value]


@dataclass(slots=True)
class Socket:
    """The resident's socket, one question a connection; a command starts the resident where there is none."""

    root: Path
    known: Known
    starter: Command
    name: str = "the socket"

    def ask(self, verb: str, agent: str | None, **args: Any) -> Any:
        for _ in range(3):
            try:
                answer = said(self.root, "call", verb=verb, agent=agent, args=args)
            except SilenceError:
                raise CutError from None
            if answer is not None:
                return self._value(answer)
            self.starter.ask("status", None)
            self.known.note("asked a command to start the resident")
        raise RefusedError("alone", "nobody listens")

    def _value(self, answer: Any) -> Any:
        if "value" in answer:
            return answer["value"]
        if "unfit" in answer:
            raise RefusedError("unfit", answer["unfit"])
        error = answer["error"]
        if any(word in error["message"] for word in NEVER_SAID):
            self.known.blame(f"the resident said: {error['message']}")
        raise RefusedError(error["kind"], error["message"])


@dataclass(slots=True)
class Program:
    """A Python program that opens the vault and stays, as a process; `how` is `open` or `connect`."""

    root: Path
    known: Known
    lives: Lives
    how: str
    _running: subprocess.Popen[str] | None = None

    @property
    def name(self) -> str:
        return f"Python ({self.how})"

    def ask(self, verb: str, agent: str | None, **args: Any) -> Any:
        process = self._running or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([verb, agent, args]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line.endswith("\n"):
            self._buried(process)
            raise CutError
        answer = json.loads(line)
        if "lost" in answer:
            raise CutError
        if "error" in answer:
            if any(word in answer["error"][1] for word in NEVER_SAID):
                self.known.blame(f"{self.name} raised: {answer['error'][1]}")
            raise RefusedError(*answer["error"])
        return answer["value"]

    def _start(self) -> subprocess.Popen[str]:
        self._running = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.program", str(self.root), self.how],
            cwd=PACKAGE, env=environment(VMEM_RESIDENT="auto" if self.how == "connect" else "off"),
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.lives.born("a program", self._running)
        return self._running

    def close(self) -> None:
        """End it, as a program ends that has no more to do."""
        if self._running is not None:
            assert self._running.stdin is not None
            self._running.stdin.close()
            self._buried(self._running)

    def _buried(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        said = process.stderr.read()
        code = process.wait()
        self.lives.dead(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()  # type: ignore[union-attr]  # all three are pipes
        self._running = None
        if code not in (0, -signal.SIGKILL):
            self.known.blame(f"{self.name} ended with {code}: {said[-800:]}")


def environment(**more: str) -> dict[str, str]:
    """The environment of everything that a soak starts; where a machine tests us, as on a person's own."""
    inherited = {name: value for name, value in os.environ.items() if name not in KEEP_OUT}
    return {**inherited, "PYTHONPATH": str(PACKAGE), **more}
