"""Which other gits are at work in a working tree, as the system's list of processes tells (on Linux).

Between two steps of one command git may hold no lock and leave no trace for long, on a busy machine.
"""

from __future__ import annotations

import os
from contextlib import suppress

from vault_memory.adapters.git import processes

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
    found = [
        process for process in processes.gits() if _command(process) in IN_STEPS and _is_in(process, here)
    ]
    return bool(found) and not set(found).issubset(processes.ancestors())


def _command(process: str) -> bytes | None:
    """The command that a git was called with."""
    words = iter((processes.read(process, "cmdline") or b"").split(b"\0")[1:])
    for word in words:
        if word in _TAKE_A_VALUE:
            next(words, None)
        elif not word.startswith(b"-"):
            return word
    return None


def _is_in(process: str, folder: bytes) -> bool:
    with suppress(OSError):  # it has ended, or is another user's
        found = os.fsencode(os.readlink(f"{processes.PROCESSES}/{process}/cwd"))
        return found == folder or found.startswith(folder.rstrip(b"/") + b"/")
    return False
