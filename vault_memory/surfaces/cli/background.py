"""Starting a vmem that goes on when this one has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path

from vault_memory.config import environ

_NICENESS = 10
"""Lower than what a person waits for."""


def start(root: Path, *words: str) -> int | None:
    """Carry out a command for the vault at `root` in a silent process of its own, at a low priority; its
    number, `None` where there can be none."""
    if not sys.executable:
        return None
    # -P: a folder vault_memory in the working folder, which may be a vault from anywhere, is not ours.
    argv = [sys.executable, "-P", "-X", "utf8", "-m", "vault_memory", "--vault", str(root), *words]
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environ.of_a_resident(),
            start_new_session=True,
        )
    except (OSError, ValueError):  # ValueError: a word with a zero byte
        return None
    number = child.pid
    with suppress(OSError, AttributeError):  # it may have ended meanwhile; Windows has no such thing
        os.setpriority(os.PRIO_PROCESS, number, _NICENESS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # it outlives us, and is meant to
        del child
    return number
