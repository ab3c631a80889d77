"""Residents that are processes of their own, begun and ended by the test."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.forked import run_vmem
from vault_memory.live.alone import is_taken
from vault_memory.model.resident import Resident
from vault_memory.surfaces.resident.asking import resident_of

REPOSITORY = Path(__file__).parents[2]
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What one call of `vmem` left, and how long it took."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def value(self) -> Any:
        return json.loads(self.out)


def variables(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of this test, for a process; a variable that is given empty is taken out.

    As in a CI job no resident is started on demand, unless `CI` is given so."""
    found = {**os.environ, "PYTHONPATH": str(REPOSITORY), "CI": "true", **(more or {})}
    return {name: text for name, text in found.items() if text or name not in (more or {})}


def vmem(root: Path, *argv: str, env: Mapping[str, str] | None = None, stdin: str = "") -> Ran:
    """One call, in the vault's folder."""
    began = time.monotonic()
    done = run_vmem(argv, stdin=stdin.encode(), environment=variables(env), cwd=root, seconds=SECONDS)
    out, err = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
    assert "Traceback" not in err, err
    return Ran(done.returncode, out, err, time.monotonic() - began)


def eventually(fact: Callable[[], object], what: str = "it never came to be") -> None:
    """Wait until it is so."""
    until = time.monotonic() + SECONDS
    while not fact():
        assert time.monotonic() < until, what
        time.sleep(0.02)


def state(root: Path) -> Resident:
    """What the resident says of itself; there must be one."""
    found = resident_of(root, SECONDS)
    assert isinstance(found, Resident), found
    return found


def log(root: Path) -> str:
    place = root / ".vmem" / "local" / "resident.log"
    return place.read_text(encoding="utf-8") if place.exists() else ""


@contextmanager
def running(root: Path, env: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """`vmem daemon run` as a child of the test, once it answers; ended by SIGTERM, if it lives still."""
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_memory", "--vault", str(root), "daemon", "run"],
        env=variables(env),
        cwd=root.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: process.poll() is not None or isinstance(resident_of(root), Resident))
        assert process.poll() is None, log(root)
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        process.wait(SECONDS)


@contextmanager
def stranger(*argv: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that has nothing to do with vmem, once it has written a line; killed at the end."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


@contextmanager
def none_left(root: Path) -> Iterator[None]:
    """Whatever resident was begun inside, on demand say, is stopped at the end, by asking it."""
    try:
        yield
    finally:
        # One that was begun a moment ago may not answer yet: it is waited for.
        until = time.monotonic() + 3.0
        while time.monotonic() < until or is_taken(root):
            if isinstance(resident_of(root), Resident):
                assert vmem(root, "daemon", "stop").code == 0
                break
            time.sleep(0.05)
        eventually(lambda: not is_taken(root), "a resident is left")
