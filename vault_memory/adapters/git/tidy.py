"""Packing loose objects: each commit of one memory leaves four or five, and git slows down with their number.

Nothing is ever thrown away: what no commit leads to stays, loose or in a pack."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress

from vault_memory.adapters.git import gcpid
from vault_memory.adapters.git.cli import GitProgram
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.settings import Settings
from vault_memory.config.environ import clean_git_environment

MOST_LOOSE, MOST_PACKS = 3000, 20
"""Above so many loose objects, or packs, it is time."""
SAMPLE = "17"
"""Objects lie in 256 folders by the first two digits of their hash, evenly; git guesses by this one, too."""
_LONGEST = 900.0
_GLANCE = 0.1
_GRACE = 10.0
_HALF_PACK = "tmp_"
"""How the names begin that git gives to a pack and its index before they are whole."""
_VERSION = re.compile(rb"git version (\d+)\.(\d+)")
GEOMETRIC = (2, 32)
"""The first git that can merge a few small packs without touching the large ones."""


def needed(place: Place, settings: Settings, now_ns: int) -> bool:
    """Whether there are many, and nobody has forbidden it: who sets `gc.auto` to 0 or `maintenance.auto`
    to false packs when they want. Where objects are fetched when needed, packs are left to git."""
    if settings.text("gc.auto") == "0" or settings.flag("maintenance.auto") is False:
        return False
    if settings.text("extensions.partialClone") is not None:
        return False
    objects = os.path.join(place.commondir, "objects")
    return (
        _count(os.path.join(objects, SAMPLE)) * 256 > MOST_LOOSE
        or _count(os.path.join(objects, "pack"), ".pack") > MOST_PACKS
    ) and not gcpid.is_taken(place, now_ns)


def pack(git: GitProgram, place: Place, now_ns: int, stop: Callable[[], bool]) -> None:
    """Let git pack, behind all other work of the machine; asked to end once `stop()` says so.

    A refusal is no fault: all objects are where they were, and the next time comes. Nor is somebody
    else's `git gc` that came first."""
    with gcpid.alone(place, now_ns) as name:
        if name is not None:
            _pack(git, os.path.join(place.commondir, "objects", "pack"), name, stop)


def _pack(git: GitProgram, packs: str, name: Callable[[int], None], stop: Callable[[], bool]) -> None:
    program = git.path
    if program is None:
        return
    before = _half_packs(packs)
    how = ("--geometric=2",) if _version(git) >= GEOMETRIC else ()
    argv = [program, "-c", "pack.threads=1", "repack", "-d", "-l", "-q", "-n", *how]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            argv,
            cwd=git.workdir,
            env=clean_git_environment(),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        ) as packing,
    ):
        name(packing.pid)
        _behind(packing.pid)
        end = time.monotonic() + _LONGEST
        while packing.poll() is None:
            if stop() or time.monotonic() > end:
                _stop(packing)
                _drop(_half_packs(packs) - before)
                return
            time.sleep(_GLANCE)


def _stop(packing: subprocess.Popen[bytes]) -> None:
    """On this signal git takes back what it was writing, but for the very first file of a pack."""
    _signal(packing, signal.SIGTERM)
    try:
        packing.wait(_GRACE)
    except subprocess.TimeoutExpired:
        _signal(packing, getattr(signal, "SIGKILL", signal.SIGTERM))
        packing.wait()


def _signal(packing: subprocess.Popen[bytes], number: int) -> None:
    """To git and to those that it has started: they are a session of their own."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(packing.pid, number)
    else:
        packing.send_signal(number)


def _half_packs(packs: str) -> set[str]:
    """Packs and indexes of packs that have no name yet."""
    try:
        return {os.path.join(packs, name) for name in os.listdir(packs) if name.startswith(_HALF_PACK)}
    except FileNotFoundError:
        return set()


def _drop(halves: set[str]) -> None:
    """Delete those that no process has open, where the system can tell; an import may be writing one."""
    if not halves or not os.path.isdir("/proc/self/fd"):
        return
    links = []
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):  # it has ended, or is another user's
            links += [f"/proc/{process}/fd/{number}" for number in os.listdir(f"/proc/{process}/fd")]
    held = set()
    for link in links:
        with suppress(OSError):
            held.add(os.path.realpath(os.readlink(link)))
    for half in halves:
        if os.path.realpath(half) not in held:
            with suppress(OSError):
                os.unlink(half)


def _behind(process: int) -> None:
    if sys.platform != "win32":
        try:
            os.setpriority(os.PRIO_PROCESS, process, 19)
        except OSError:  # it has ended already
            return


def _version(git: GitProgram) -> tuple[int, int]:
    found = _VERSION.match(git.run("version").out)
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)


def _count(folder: str, ending: str = "") -> int:
    try:
        return sum(name.endswith(ending) for name in os.listdir(folder))
    except FileNotFoundError:
        return 0
