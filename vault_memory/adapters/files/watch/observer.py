"""A watch by whatever watchdog has for this system: macOS, Windows, BSD."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from watchdog.events import (
    EVENT_TYPE_CLOSED,
    EVENT_TYPE_CREATED,
    EVENT_TYPE_DELETED,
    EVENT_TYPE_MODIFIED,
    EVENT_TYPE_MOVED,
    FileSystemEvent,
    FileSystemEventHandler,
)

from vault_memory.adapters.files.exploring import Folder, explore, is_looked_at
from vault_memory.adapters.files.layout import CONFIG
from vault_memory.adapters.files.local import MARK
from vault_memory.adapters.files.skipping import RULES_FILE, Skipping
from vault_memory.adapters.files.watch.heard import Heard
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passedover import is_note
from vault_memory.ports import Hints

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

logging.getLogger("watchdog").addHandler(logging.NullHandler())

_CHANGES = frozenset(
    {EVENT_TYPE_CREATED, EVENT_TYPE_MODIFIED, EVENT_TYPE_DELETED, EVENT_TYPE_MOVED, EVENT_TYPE_CLOSED}
)
"""What is heard; opening and reading is not."""
ROOT = "the vault's folder itself changed"
FOLDER = "a folder came, went or was moved"
RULES = "the rules for what is left out changed"


class ObserverWatch:
    """Watches all below the root and drops what a scan would not look at. `make` gives the observer."""

    def __init__(
        self, root: bytes, skip: Callable[[], Skipping], make: Callable[[], BaseObserver] | None = None
    ) -> None:
        self._root = root
        self._make_skip = skip
        self._skip = skip()
        self._heard = Heard()
        self._make = make or _of_this_system
        self._observer: BaseObserver | None = None
        self._looked_at: dict[str, bool] = {}
        self._folders = 0
        self.broken: OSError | None = None

    def start(self, heard: Callable[[], None]) -> None:
        """Begin. Raises `OSError` where the system gives no watch."""
        self._heard.told = heard
        self._observe()
        start = Folder("", self._skip.around)
        self._folders = sum(1 for _ in explore(self._root, self._skip, start, lambda *_: None))

    def take(self) -> Hints:
        """What was heard since the last time. A root that was away is watched anew before that is told."""
        observer = self._observer
        if observer is not None and not any(one.is_alive() for one in observer.emitters):
            self._watch_anew(observer)
        return self._heard.take()

    def state(self) -> tuple[int, str | None]:
        """How many folders are of interest; nothing is polled."""
        return self._folders, None

    def close(self) -> None:
        """Stop."""
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()

    def _observe(self) -> None:
        observer = self._make()
        observer.schedule(_Handler(self._on_event), os.fsdecode(self._root), recursive=True)
        observer.start()
        self._observer = observer

    def _watch_anew(self, ended: BaseObserver) -> None:
        """What watches a folder ends with it."""
        if not os.path.lexists(self._root + b"/" + CONFIG.encode()):
            return
        ended.stop()
        ended.join()
        self._skip = self._make_skip()
        self._looked_at.clear()
        try:
            self._observe()
        except OSError as error:
            self.broken = error
        self._heard.everything(ROOT)

    def _on_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        for place in (event.src_path, event.dest_path):
            path = self._path(place) if place else None
            if path is None or (event.is_directory and event.event_type == EVENT_TYPE_MODIFIED):
                continue
            if path in ("", MARK):
                self._heard.everything(ROOT)
            elif event.is_directory:
                if self._is_looked_at(f"{path}/x.md"):
                    self._looked_at.clear()
                    self._heard.everything(FOLDER)
            elif path.rpartition("/")[2].encode("utf-8", "surrogateescape") == RULES_FILE:
                self._skip = self._make_skip()
                self._looked_at.clear()
                self._heard.everything(RULES)
            else:
                self._on_file(path)

    def _on_file(self, path: str) -> None:
        name = path.rpartition("/")[2].encode("utf-8", "surrogateescape")
        if is_note(name) and self._is_looked_at(path):
            self._heard.path(VaultPath(path), arrived=False)

    def _is_looked_at(self, path: str) -> bool:
        """By the folder, which decides for nearly all that is in it."""
        folder = path.rpartition("/")[0]
        if folder not in self._looked_at:
            probe = f"{folder}/x.md" if folder else "x.md"
            self._looked_at[folder] = is_looked_at(self._root, self._skip, probe)
        return self._looked_at[folder] and not self._skip.file(path)

    def _path(self, place: bytes | str) -> str | None:
        """The path below the root, `None` for what lies elsewhere or is no Unicode."""
        full = os.fsencode(place)
        root = self._root.rstrip(b"/")
        if full.rstrip(b"/") == root:
            return ""
        if not full.startswith(root + b"/"):
            return None
        try:
            return full[len(root) + 1 :].replace(os.sep.encode(), b"/").decode()
        except UnicodeDecodeError:
            return None


class _Handler(FileSystemEventHandler):
    def __init__(self, told: Callable[[FileSystemEvent], None]) -> None:
        self._told = told

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._told(event)


def _of_this_system() -> BaseObserver:
    from watchdog.observers import Observer

    return Observer()
