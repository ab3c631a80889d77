"""The command of this very vmem, as other programs are to start it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def ourselves() -> str:
    """For a shell that finds it: by name where it does, else by this Python."""
    found = shutil.which("vmem")
    return "vmem" if found else shlex.join(_by_python())


def ourselves_anywhere() -> tuple[str, ...]:
    """The words of it with whole paths, for programs that look for commands in few places.

    Of this installation in any case: where a shell finds it if that is the same, else beside this Python."""
    beside = Path(sys.executable).with_name("vmem.exe" if sys.platform == "win32" else "vmem")
    found = shutil.which("vmem")
    if found and beside.exists() and os.path.samefile(found, beside):
        return (os.path.abspath(found),)
    return (str(beside),) if os.access(beside, os.X_OK) else _by_python()


def _by_python() -> tuple[str, ...]:
    return sys.executable, "-P", "-X", "utf8", "-m", "vault_memory"
