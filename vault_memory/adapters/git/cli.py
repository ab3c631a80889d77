"""Running the git program: no outer git's environment, no terminal, a time limit on everything it starts."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from vault_memory.config.environ import clean_git_environment

_HOOKS_OWN = ("LC_ALL", "GIT_LITERAL_PATHSPECS", "GIT_OPTIONAL_LOCKS")
"""Of our clean environment, what would change the answers that a person's hook gets from git."""

DURABLE = ("-c", "core.fsync=committed,loose-object")
"""A branch must never name what a power cut can take; git's default leaves loose objects out."""

_NEVER_ASK = {"GIT_ASKPASS": "true", "SSH_ASKPASS": "true", "SSH_ASKPASS_REQUIRE": "never"}
_SHOWS_WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY")
_GRACE = 1.0
"""Seconds that a killed command has to remove its locks."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: its exit code (`None` when it was stopped at the limit) and its words."""

    code: int | None
    out: bytes
    err: bytes

    @property
    def ok(self) -> bool:
        """Whether it ended well."""
        return self.code == 0

    def words(self) -> str:
        """The first lines of what it said, on one line, for a person."""
        said = (self.err.strip() or self.out.strip()).decode("utf-8", "replace")
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        return "; ".join(lines[:4])[:500]


class GitRefusedError(Exception):
    """Git, a hook or a signing program said no; the message is its own words."""


class OutOfTimeError(GitRefusedError):
    """Something did not end within the limit and was stopped."""


class GitProgram:
    """Git in one working tree, with a limit in seconds for each command, and what each finds in its
    environment besides."""

    def __init__(self, workdir: str, *, timeout: float, environment: Mapping[str, str] | None = None) -> None:
        self.workdir = workdir
        self.timeout = timeout
        self._environment = environment or {}

    @property
    def path(self) -> str | None:
        """Where the program is; looked up each time, since PATH is the person's to change."""
        return shutil.which("git", path=clean_git_environment().get("PATH"))

    def run(
        self,
        *arguments: str,
        stdin: bytes | IO[bytes] = b"",
        environment: Mapping[str, str] | None = None,
        for_hooks: bool = False,
        timeout: float | None = None,
    ) -> Outcome:
        """Run a command to its end. `for_hooks` leaves out of the environment what would mislead them."""
        program = self.path
        if program is None:
            raise GitRefusedError("git is not on PATH")
        env = clean_git_environment() | _NEVER_ASK
        for name in _HOOKS_OWN if for_hooks else ():
            env.pop(name, None)
        for name in () if for_hooks else _SHOWS_WINDOWS:
            env.pop(name, None)
        env |= {**self._environment, **(environment or {})}
        limit = self.timeout if timeout is None else timeout
        return run([program, *arguments], cwd=self.workdir, env=env, stdin=stdin, timeout=limit)

    def get(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> bytes:
        """What a command writes. Raises `GitRefusedError` with git's words where it fails."""
        outcome = self.run(*arguments, stdin=stdin, environment=environment, timeout=timeout)
        command = next(word for word in arguments if not word.startswith("-") and "=" not in word)
        demand(outcome, f"git {command}", self.timeout if timeout is None else timeout)
        return outcome.out


def demand(outcome: Outcome, what: str, timeout: float) -> None:
    """Raise where a command failed or was stopped."""
    if outcome.code is None:
        raise OutOfTimeError(f"{what} did not end within {timeout:g} s and was stopped")
    if outcome.code != 0:
        raise GitRefusedError(outcome.words() or f"{what} failed with exit code {outcome.code}")


def run(
    argv: Sequence[str], *, cwd: str, env: Mapping[str, str], stdin: bytes | IO[bytes], timeout: float
) -> Outcome:
    """Run a program in a session of its own, so that all it started can be stopped with it.

    Output goes to files, not pipes: a child left in the background would keep a pipe open."""
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(tempfile.TemporaryFile())
        err = stack.enter_context(tempfile.TemporaryFile())
        source: IO[bytes] | int = subprocess.DEVNULL
        if not isinstance(stdin, bytes):
            source = stdin
        elif stdin:
            source = stack.enter_context(tempfile.TemporaryFile())
            source.write(stdin)
            source.seek(0)
        with subprocess.Popen(
            argv, cwd=cwd, env=dict(env), stdin=source, stdout=out, stderr=err, start_new_session=True
        ) as process:
            code = _wait(process, timeout)
        out.seek(0)
        err.seek(0)
        return Outcome(code, out.read(), err.read())


def _wait(process: subprocess.Popen[bytes], timeout: float) -> int | None:
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        # Asked first: on this signal git takes its lock files away.
        _signal_all(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        return None
    finally:
        if process.poll() is None or timeout <= 0:
            _kill_all(process)


def _signal_all(process: subprocess.Popen[bytes], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.send_signal(number)
        else:
            os.killpg(process.pid, number)


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        _signal_all(process, signal.SIGKILL)
    process.wait()
