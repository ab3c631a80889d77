"""Starting a vault's resident: a process of its own that outlives its starter."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from vault_memory.config import environ
from vault_memory.errors import VmemError
from vault_memory.live.alone import is_taken
from vault_memory.model.resident import Resident, Silent
from vault_memory.surfaces.resident import door
from vault_memory.surfaces.resident.asking import resident_of
from vault_memory.surfaces.resident.log import last_lines, open_log

START_SECONDS = 20.0
"""So long a start is waited for: the models may have to be read from a slow disk."""
NOT_AGAIN_NS = 10_000_000_000
"""After a try that came to nothing, none is made for so long."""
_GLANCE = 0.03
_ANYWHERE = "/" if os.name == "posix" else None
"""Its working folder: no disk is kept from being unmounted by it."""


def command(root: Path, *words: str) -> list[str]:
    """The command line of `vmem` for the vault at `root`, of this very Python."""
    # -P: a folder vault_memory in the working folder, which may be a vault from anywhere, is not ours.
    return [sys.executable, "-P", "-X", "utf8", "-m", "vault_memory", "--vault", str(root), *words]


def spawn(root: Path) -> subprocess.Popen[bytes] | None:
    """Begin the process, and don't wait for it; `None` where there can be none. What Python itself has to
    say against it goes into the log."""
    if not sys.executable:
        return None
    try:
        with open_log(root) as log:
            return subprocess.Popen(
                command(root, "daemon", "run"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=_ANYWHERE,
                env=environ.of_a_resident(),
                start_new_session=True,
            )
    except OSError:
        return None


def begin_unless_there(root: Path, now_ns: int) -> None:
    """Begin one for the next calls, unless there is one, or can be none; never raises.

    One that comes to nothing is not tried again by each call."""
    try:
        if not door.places_of(str(root)) or is_taken(root):
            return
        if not _may_try(_lock_of(root), now_ns):
            return
        child = spawn(root)
        if child is not None:
            let_it_live(child)
    except (OSError, VmemError):
        return


def began(root: Path) -> None:
    """Say that a try came to something: once this resident is killed, the next call may begin another."""
    with suppress(OSError):  # only a mark
        os.utime(_lock_of(root), ns=(0, 0), follow_symlinks=False)


def _lock_of(root: Path) -> Path:
    return root / ".vmem" / "local" / "resident"


def _may_try(lock: Path, now_ns: int) -> bool:
    """Whether no try was made a moment ago that came to nothing; this one is noted, as the time of the
    lock's file. One that came to something sets it back."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
    try:
        opened = os.open(lock, flags)
        last = os.fstat(opened).st_mtime_ns
    except FileNotFoundError:
        opened, last = os.open(lock, flags | os.O_CREAT, 0o600), 0
    try:
        if 0 <= now_ns - last < NOT_AGAIN_NS:
            return False
        os.utime(opened, ns=(now_ns, now_ns))
    finally:
        os.close(opened)
    return True


def start(root: Path, *, wait: float = START_SECONDS) -> Resident:
    """Start a resident and wait until it answers, or another that was started at the same time does.

    Raises `VmemError` where none does.
    """
    child = spawn(root)
    if child is None:
        raise VmemError("no process could be started", hint="vmem works without a resident, if more slowly")
    deadline = time.monotonic() + wait
    ended_at: float | None = None
    quiet: Silent | None = None
    while time.monotonic() < (deadline if ended_at is None else ended_at + 1.0):
        found = resident_of(root)
        if isinstance(found, Resident):
            _leave(child, found)
            return found
        quiet = found
        if ended_at is None and child.poll() is not None:
            ended_at = time.monotonic()  # another one may be about to answer in its place
        time.sleep(_GLANCE)
    let_it_live(child)
    raise _not_there(root, quiet)


def _leave(child: subprocess.Popen[bytes], found: Resident) -> None:
    """Let it live; or where another one was first, wait until it has seen that, or it might still begin
    when that one is stopped."""
    if child.pid != found.pid:
        with suppress(subprocess.TimeoutExpired):
            child.wait(START_SECONDS)
    let_it_live(child)


def _not_there(root: Path, found: Silent | None) -> VmemError:
    if isinstance(found, Silent):
        return silent(found)
    reason = next((line for line in reversed(last_lines(root, 5)) if "could not begin: " in line), "")
    why = reason.partition("could not begin: ")[2]
    return VmemError(
        f"the resident did not start{': ' if why else ''}{why}",
        hint="vmem daemon logs may say more; every command works without it",
    )


def silent(found: Silent) -> VmemError:
    """What to say of one that listens and does not answer: it is for the person to end it."""
    number = "" if found.pid is None else f" (process {found.pid})"
    return VmemError(
        f"something listens in the place of this vault's resident{number} and does not answer",
        hint="it may be stopped (fg, kill -CONT), or busy; every command works without it",
    )


def let_it_live(child: subprocess.Popen[bytes]) -> None:
    """Forget a process that is meant to outlive this one: nobody waits for it, nor complains of it."""
    child.returncode = 0
