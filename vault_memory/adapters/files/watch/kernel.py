"""A watch by inotify: the kernel tells of every folder that a scan looks into, and of no other."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass

from watchdog.observers.inotify_c import CallbackId, InotifyEvent, Mask, WatchDescriptor
from watchdog.observers.inotify_c import InotifyConstants as Flag

from vault_memory.adapters.files.exploring import Folder, explore, inner_folder, note_in
from vault_memory.adapters.files.layout import CONFIG
from vault_memory.adapters.files.local import MARK
from vault_memory.adapters.files.skipping import RULES_FILE, Skipping
from vault_memory.adapters.files.watch.ear import Ear
from vault_memory.adapters.files.watch.heard import Heard
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Hints

# Nothing of opening and reading: it would tell of ourselves.
_MASK = Mask(
    Flag.IN_MODIFY | Flag.IN_ATTRIB | Flag.IN_CLOSE_WRITE | Flag.IN_MOVED_FROM | Flag.IN_MOVED_TO
    | Flag.IN_CREATE | Flag.IN_DELETE | Flag.IN_DELETE_SELF | Flag.IN_MOVE_SELF
    | Flag.IN_ONLYDIR | Flag.IN_DONT_FOLLOW | Flag.IN_EXCL_UNLINK
)  # fmt: skip
_ARRIVED = Flag.IN_CREATE | Flag.IN_MOVED_TO
_CAME = Flag.IN_CREATE | Flag.IN_MOVED_TO
_GONE_BY_NOW = frozenset({errno.ENOENT, errno.ENOTDIR})
_ID = CallbackId(0)
_HEAR_OUT = 0.05
"""Seconds that a question waits for the kernel's queue to be read; a full one is a matter of milliseconds."""

OVERFLOW = "the system lost track of very many changes"
ROOT_GONE = "the vault's folder was moved or deleted"
MOVED = "a folder was moved"
PERMISSIONS = "the permissions of a folder changed"
RULES = "the rules for what is left out changed"
DISK_GONE = "a disk was taken out"


@dataclass(slots=True)
class _Watched:
    """A folder with its watch."""

    folder: Folder
    number: WatchDescriptor


class KernelWatch:
    """Watches by inotify. `skip` gives the rules of the vault at `root` as they stand now."""

    def __init__(self, root: bytes, skip: Callable[[], Skipping]) -> None:
        self._root = root
        self._make_skip = skip
        self._skip = skip()
        self._heard = Heard()
        self._lock = threading.RLock()
        self._ear: Ear | None = None
        self._by_prefix: dict[str, _Watched] = {}
        self._by_number: dict[int, str] = {}
        self._again: str | None = None
        self._lost = False
        self.broken: OSError | None = None
        """Why the kernel can't be relied on any more; `None` while it can."""

    def start(self, heard: Callable[[], None]) -> None:
        """Begin. Raises `OSError` where the kernel gives no watches, or not enough of them."""
        self._heard.told = heard
        ear = Ear(self._is_deaf)
        self._ear = ear
        ear.start()
        try:
            with self._lock:
                self._explore(Folder("", self._skip.around))
        except OSError:
            self.close()
            raise

    def take(self) -> Hints:
        """What has been heard, up to this moment. Where that is "anything", the folders are watched
        anew before it is told, so that nothing is missed between the two."""
        ear = self._ear
        if ear is None:
            return self._heard.take()
        ear.hear_out(_HEAR_OUT)
        if not ear.is_alive() and self.broken is None:
            self._is_deaf("its thread ended")
        if self._again is not None or self._lost:
            with self._lock:
                self._watch_anew()
        return self._heard.take()

    def state(self) -> tuple[int, str | None]:
        """How many folders are watched; nothing is polled."""
        return len(self._by_prefix), None

    def close(self) -> None:
        """Stop, and give all watches back."""
        ear, self._ear = self._ear, None
        if ear is not None:
            ear.stop()
            ear.join()
        self._by_prefix, self._by_number = {}, {}

    # What watchdog calls, in its own thread

    def on_event(self, event: InotifyEvent) -> None:
        """Something happened in a watched folder, or to it."""
        prefix = self._by_number.get(event.wd)
        if prefix is None or self._lost:
            return
        if not event.name:
            self._on_folder_itself(prefix, event.mask)
        elif event.mask & Flag.IN_ISDIR:
            self._on_folder(prefix, event.name, event.mask)
        else:
            self._on_file(prefix, event.name, event.mask)

    def on_watch_deleted(self, wd: WatchDescriptor) -> None:
        """A watched folder is gone."""
        with self._lock:
            prefix = self._by_number.pop(wd, None)
            if prefix is None or self._ear is None:
                return
            del self._by_prefix[prefix]
        if prefix == "":
            self._lose_root()

    def on_queue_overflow(self) -> None:
        """The kernel had more to tell than its queue holds."""
        self._look_again(OVERFLOW)

    def _on_file(self, prefix: str, name: bytes, mask: int) -> None:
        if name == RULES_FILE:
            self._look_again(RULES)
            return
        note = note_in(self._skip, prefix, name)
        if note is not None:
            self._heard.path(note, arrived=bool(mask & _ARRIVED))

    def _on_folder(self, prefix: str, name: bytes, mask: int) -> None:
        if prefix == "" and name == MARK.encode():
            self._heard.everything(ROOT_GONE)  # or it is back: a look tells
            return
        with self._lock:
            outer = self._by_prefix.get(prefix)
            inner = None if outer is None else inner_folder(self._skip, outer.folder, name)
            if inner is None:
                return
            if mask & _CAME:
                self._enter(inner)
            elif mask & Flag.IN_MOVED_FROM:
                self._forget_below(inner.prefix)
                self._heard.everything(MOVED)
            elif mask & Flag.IN_ATTRIB:
                self._look_again(PERMISSIONS)
            # Of a folder that is deleted each file has been told already.

    def _on_folder_itself(self, prefix: str, mask: int) -> None:
        if mask & Flag.IN_UNMOUNT:
            self._look_again(DISK_GONE)
        elif prefix == "" and mask & (Flag.IN_DELETE_SELF | Flag.IN_MOVE_SELF):
            self._lose_root()
        elif prefix == "" and mask & Flag.IN_ATTRIB:
            self._look_again(PERMISSIONS)

    def _enter(self, inner: Folder) -> None:
        """Watch a new folder, and tell of what was in it before its watch."""
        self._forget_below(inner.prefix)
        try:
            for note in self._explore(inner):
                self._heard.path(note, arrived=False)
        except OSError as error:
            self._break(error)

    def _explore(self, start: Folder) -> list[VaultPath]:
        notes: list[VaultPath] = []
        for folder in explore(self._root, self._skip, start, self._add):
            watched = self._by_prefix.get(folder.prefix)
            if watched is not None:
                watched.folder.rules = folder.rules
            notes += folder.notes
        return notes

    def _add(self, prefix: str, place: bytes) -> None:
        ear = self._ear
        if ear is None or prefix in self._by_prefix:
            return
        try:
            number = ear.add_callback(place, _MASK, self, _ID)
        except OSError as error:
            if error.errno in _GONE_BY_NOW and prefix:
                return
            raise
        if number == -1:  # it may not be looked into: a scan will say so, and its permissions can change
            ear.remove_callbacks([(number, _ID)])
            self._heard.everything(PERMISSIONS)
            return
        self._by_number[number] = prefix
        self._by_prefix[prefix] = _Watched(Folder(prefix, ()), number)

    def _forget_below(self, prefix: str) -> None:
        gone = [one for one in self._by_prefix if one.startswith(prefix)]
        ear = self._ear
        for one in gone:
            number = self._by_prefix.pop(one).number
            if self._by_number.get(number) == one:
                del self._by_number[number]
            if ear is not None:
                ear.remove_callbacks([(number, _ID)])

    def _look_again(self, reason: str) -> None:
        """Whoever takes the hints watches the folders anew first, and only then is told to compare."""
        self._again = reason
        self._heard.told()

    def _lose_root(self) -> None:
        self._lost = True
        self._heard.everything(ROOT_GONE)

    def _watch_anew(self) -> None:
        """All watches once more, as the folders and the rules are now."""
        if self._lost and not os.path.lexists(self._root + b"/" + CONFIG.encode()):
            return  # a look at it is an error meanwhile, and the next one comes by here
        reason = self._again or ROOT_GONE
        self._again, self._lost = None, False
        self._forget_below("")
        self._skip = self._make_skip()
        try:
            self._explore(Folder("", self._skip.around))
        except OSError as error:
            self._break(error)
        self._heard.everything(reason)

    def _is_deaf(self, reason: str) -> None:
        self._break(OSError(errno.EIO, f"watching ended: {reason}"))

    def _break(self, error: OSError) -> None:
        if self.broken is None:
            self.broken = error
            self._heard.everything(error.strerror or str(error))
