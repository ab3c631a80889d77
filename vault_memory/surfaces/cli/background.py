"""Starting a vmem that goes on when this one has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

_NICENESS = 10
"""Lower than what a person waits for."""


def start_build(root: Path) -> int | None:
    """Make the vectors of the vault at `root` in a process of its own; its number, `None` where there
    can be none. It is silent: `vmem embedder status` tells how far it is."""
    if not sys.executable:
        return None
    # -P: a folder vault_memory in the working folder, which may be a vault from anywhere, is not ours.
    argv = [sys.executable, "-P", "-X", "utf8", "-m", "vault_memory"]
    argv += ["--vault", str(root), "embedder", "build", "--after-another"]
    try:
        child = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    number = child.pid
    if hasattr(os, "setpriority"):
        with_less_priority(number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # it outlives us, and is meant to
        del child
    return number


def with_less_priority(process: int) -> None:
    """Let a process give way to others; one that has ended meanwhile needs none."""
    try:
        os.setpriority(os.PRIO_PROCESS, process, _NICENESS)
    except OSError:
        return
