"""The folders of throw-away indexes: a few stay, and none goes that somebody has open."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

from vault_memory.adapters.files.local import drop_links

if sys.platform == "win32":

    def _try_share(*_: object, **__: object) -> bool:
        """What is open can't be deleted there anyway."""
        return True

else:
    import fcntl

    def _try_share(fd: int, *, alone: bool) -> bool:
        """Hold the file with others, or `alone`; whether that could be had at once."""
        try:
            fcntl.flock(fd, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


MARK = "used"
"""The file of a folder that is held as long as it is open; its time is that of the last use."""
_ATTEMPTS = 50
_PAUSE = 0.01


class ViewFolder:
    """A folder below `views`, held until it is closed, and deleted then if it is not `for_good`. Where the
    disk says no it is not there, and an index in it is kept in memory."""

    def __init__(self, views: Path, name: str, *, for_good: bool = True) -> None:
        self.path = views / name
        self._for_good = for_good
        self._fd: int | None = None
        with suppress(OSError):
            views.mkdir(mode=0o700, exist_ok=True)
            self._hold()

    def close(self) -> None:
        """Let go of it; twice is no fault."""
        fd, self._fd = self._fd, None
        if fd is not None:
            os.close(fd)
            if not self._for_good:
                _delete(self.path)

    def _hold(self) -> None:
        for _ in range(_ATTEMPTS):
            if self.path.is_symlink():  # it came with a clone, and may lead anywhere
                self.path.unlink()
            self.path.mkdir(mode=0o700, exist_ok=True)
            drop_links(os.fsencode(self.path))
            mark = self.path / MARK
            try:
                fd = os.open(mark, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            except FileNotFoundError:  # taken away just now
                continue
            if _try_share(fd, alone=False) and _is_at(fd, mark):
                os.utime(mark)
                self._fd = fd
                return
            os.close(fd)
            time.sleep(_PAUSE)


def sweep(views: Path, *, most: int, beside: str) -> Path | None:
    """Delete all folders that nobody has open but the `most` that were used last; the last one of those that
    stay, but for the one called `beside`."""
    folders: list[Path] = []
    with suppress(OSError):
        folders = [one for one in views.iterdir() if one.is_dir() and not one.is_symlink()]
        folders.sort(key=_used, reverse=True)
        for folder in folders[most:]:
            _delete(folder)
    return next((one for one in folders[:most] if one.name != beside), None)


def _used(folder: Path) -> int:
    try:
        return (folder / MARK).stat().st_mtime_ns
    except OSError:
        return 0


def _delete(folder: Path) -> None:
    """The mark goes last: who waits for it sees by that that the folder is gone."""
    with suppress(OSError):
        fd = os.open(folder / MARK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            if _try_share(fd, alone=True) and _is_at(fd, folder / MARK):
                for one in folder.iterdir():
                    if one.name != MARK:
                        one.unlink() if not one.is_dir() else shutil.rmtree(one, ignore_errors=True)
                (folder / MARK).unlink()
                folder.rmdir()
        finally:
            os.close(fd)


def _is_at(fd: int, place: Path) -> bool:
    try:
        here, there = os.fstat(fd), os.stat(place)
    except OSError:
        return False
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)
