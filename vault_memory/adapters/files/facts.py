"""The disk that a vault lies on and its own folder there: looked at, and mended as far as it is ours."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path

from vault_memory.adapters.files.atomic import disk_errors
from vault_memory.adapters.files.disk import file_system_of
from vault_memory.adapters.files.layout import ensure_ignored
from vault_memory.adapters.files.local import IGNORE, LOCAL
from vault_memory.adapters.files.scratch import Scratch
from vault_memory.model.facts import PlaceFacts

_INOTIFY = Path("/proc/sys/fs/inotify")
_OTHERS = stat.S_IRWXO


def place_facts(root: bytes, scratch: Scratch) -> PlaceFacts:
    """Look. Raises `StorageError` where the folder can't be looked at."""
    local = os.fsdecode(root + b"/" + LOCAL.encode())
    with disk_errors(local, "look at"):
        return PlaceFacts(
            file_system=file_system_of(Path(local)),
            free_bytes=shutil.disk_usage(os.fsdecode(root)).free,
            local_mode=_mode(local),
            leftovers=len(scratch.left()),
            watches=inotify_limit("max_user_watches"),
            instances=inotify_limit("max_user_instances"),
        )


def mend_place(root: bytes, scratch: Scratch) -> tuple[str, ...]:
    """Close the local folder to other users, keep it out of git, delete what dead processes left; what
    was done, in words. Under the vault's lock only. Raises `StorageError`."""
    local = os.fsdecode(root + b"/" + LOCAL.encode())
    done: list[str] = []
    with disk_errors(local, "mend"):
        mode = _mode(local)
        if mode is not None and (mode & _OTHERS or mode & stat.S_IRWXU != stat.S_IRWXU):
            os.chmod(local, mode & ~_OTHERS | stat.S_IRWXU)
            done.append(f"{LOCAL}/ is closed to other users and open to you")
        if ensure_ignored(scratch, root):
            done.append(f"{IGNORE} keeps {LOCAL}/ out of git")
        swept = scratch.sweep()
        if swept:
            done.append(f"{len(swept)} temporary file{'' if len(swept) == 1 else 's'} deleted")
    return tuple(done)


def _mode(local: str) -> int | None:
    if sys.platform == "win32":  # permissions are lists there
        return None
    try:
        return stat.S_IMODE(os.stat(local).st_mode)
    except FileNotFoundError:
        return None


def inotify_limit(name: str) -> int | None:
    """A limit of the system on the watching of folders, `None` where it has none such."""
    try:
        return int((_INOTIFY / name).read_text(encoding="ascii"))
    except (OSError, ValueError):  # another system than Linux
        return None
