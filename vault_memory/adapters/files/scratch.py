"""Temporary files: where they lie, what they are called, and which of them a kill left behind."""

from __future__ import annotations

import functools
import itertools
import os
import re
import sys
from collections.abc import Iterator

from vault_memory.adapters.files.local import LOCAL, ensure_local
from vault_memory.adapters.files.skipping import FOREIGN_FOLDERS

_NAME = re.compile(rb"\.vmem-([0-9]+)-([0-9a-f]+)-[0-9]+\.tmp")
_BESIDE = b"beside"
_count = itertools.count()


class Scratch:
    """The temporary files of one vault.

    They lie in `.vmem/local/tmp/`, which git and every editor ignore. Where that is another file
    system than the target's folder, renaming is impossible, so they lie beside the target with a
    dot-name, and a mark in `.vmem/local/tmp/` tells the next sweep to look in all folders.
    """

    def __init__(self, root: bytes) -> None:
        self._root = root
        self._local = root + b"/" + LOCAL.encode()
        self._home = self._local + b"/tmp"

    def name_for(self, folder: bytes, *, beside: bool) -> bytes:
        """A path never used before, from which a rename into `folder` can work.

        `beside` asks for one in that very folder (some mounts refuse renames that look possible).
        """
        name = b".vmem-%d-%s-%d.tmp" % (os.getpid(), _run(), next(_count))
        home = self._home_device()
        if beside or os.stat(folder).st_dev != home:
            os.close(os.open(self._home + b"/" + _BESIDE, os.O_WRONLY | os.O_CREAT, 0o600))
            return folder + b"/" + name
        return self._home + b"/" + name

    def sweep(self) -> list[str]:
        """Delete what dead processes left; the paths deleted, relative to the root, sorted."""
        mark = self._home + b"/" + _BESIDE
        swept: list[str] = []
        kept = 0
        for folder in self._folders(mark):
            for name, match in _ours_in(folder):
                if _is_alive(int(match[1]), match[2]):
                    kept += 1
                    continue
                place = folder + b"/" + name
                try:
                    os.unlink(place)
                except FileNotFoundError:
                    continue
                except PermissionError:  # another user's, in a shared folder
                    kept += 1
                    continue
                swept.append(place[len(self._root) + 1 :].decode("utf-8", "backslashreplace"))
        if not kept and os.path.exists(mark):
            os.unlink(mark)
        return sorted(swept)

    def left(self) -> list[bytes]:
        """What a sweep would try to delete."""
        return [
            folder + b"/" + name
            for folder in self._folders(self._home + b"/" + _BESIDE)
            for name, match in _ours_in(folder)
            if not _is_alive(int(match[1]), match[2])
        ]

    def _folders(self, mark: bytes) -> Iterator[bytes]:
        """Where temporary files may lie: in all folders, if the mark says that some lay beside a target."""
        yield self._home
        if os.path.exists(mark):
            yield from _folders_below(self._root)

    def _home_device(self) -> int:
        """The file system that the folder lies on, which is made where it is missing."""
        try:
            return os.stat(self._home).st_dev
        except FileNotFoundError:
            ensure_local(self._local)
            os.makedirs(self._home, 0o700, exist_ok=True)
            return os.stat(self._home).st_dev


def _ours_in(folder: bytes) -> list[tuple[bytes, re.Match[bytes]]]:
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [(name, match) for name in names if (match := _NAME.fullmatch(name))]


def _folders_below(root: bytes) -> Iterator[bytes]:
    for folder, inner, _ in os.walk(root):
        inner[:] = [name for name in inner if not name.startswith(b".") and name not in FOREIGN_FOLDERS]
        yield folder


@functools.cache
def _run() -> bytes:
    """A token of this process: a pid alone comes again (in a container it is nearly always 1)."""
    return os.urandom(4).hex().encode()


def _is_alive(pid: int, run: bytes) -> bool:
    if pid == os.getpid():
        return run == _run()
    if sys.platform == "win32":  # signal 0 is not a harmless question there
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
