"""Which other gits are at work in a working tree, as the system's list of processes tells (on Linux).

Between two steps of one command git may hold no lock and leave no trace for long, on a busy machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

PROCESSES = "/proc"
IN_STEPS = frozenset(
    {b"am", b"checkout", b"cherry-pick", b"merge", b"rebase", b"reset", b"restore", b"revert", b"stash"}
    | {b"switch"}
)
"""Commands that read HEAD or the index and act on it later. What waits for a person among them leaves a state
that `blocked` knows, but for `--patch`: that is waited for no longer than the others."""
_TAKE_A_VALUE = frozenset({b"-C", b"-c", b"--exec-path", b"--git-dir", b"--work-tree", b"--namespace"})


def at_work(workdir: str) -> bool:
    """Whether such a command runs in the working tree, or below it, that did not start us."""
    here = os.fsencode(os.path.realpath(workdir))
    found = [process for process in _gits() if _command(process) in IN_STEPS and _is_in(process, here)]
    return bool(found) and not _ancestors().issuperset(found)


def _gits() -> Iterator[str]:
    """The processes that are called git."""
    try:
        names = os.listdir(PROCESSES)
    except OSError:
        return
    for name in names:
        if name.isdecimal() and (_read(name, "comm") or b"").strip() == b"git":
            yield name


def _command(process: str) -> bytes | None:
    """The command that a git was called with."""
    words = iter((_read(process, "cmdline") or b"").split(b"\0")[1:])
    for word in words:
        if word in _TAKE_A_VALUE:
            next(words, None)
        elif not word.startswith(b"-"):
            return word
    return None


def _is_in(process: str, folder: bytes) -> bool:
    with suppress(OSError):  # it has ended, or is another user's
        found = os.fsencode(os.readlink(f"{PROCESSES}/{process}/cwd"))
        return found == folder or found.startswith(folder.rstrip(b"/") + b"/")
    return False


def _ancestors() -> set[str]:
    """The processes that started us: one of them may wait for a hook of its own, which we are."""
    found: set[str] = set()
    process: str | None = str(os.getpid())
    while process is not None and process not in found:
        found.add(process)
        _, _, rest = (_read(process, "stat") or b"").rpartition(b")")  # the name before it may hold anything
        parts = rest.split()
        process = parts[1].decode("ascii") if len(parts) > 1 else None
    return found


def _read(process: str, name: str) -> bytes | None:
    with suppress(OSError), open(f"{PROCESSES}/{process}/{name}", "rb") as file:
        return file.read()
    return None
