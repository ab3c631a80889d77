"""Views: a vault over the files of a commit, or with changes laid over, by an index that is thrown away."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, cast

from vault_memory.compose import Opened, shut
from vault_memory.model.revision import short

if TYPE_CHECKING:
    from vault_memory.model.branches import Point
    from vault_memory.model.namespace import VaultPath
    from vault_memory.ports import Clock, Files, Merges, Ports, Remote, Staging, Worktrees

VIEWS = "views"
"""The folder of views in the vault's local one."""
MOST_ON_DISK = 4
"""So many indexes of views stay on disk, those used last, beside what is open."""
MOST_OPEN = 2
"""So many views stay open in a process that lives long: each takes memory like the vault itself."""
_NUMBERS = count()


@dataclass(slots=True)
class View:
    """An index of its own, and what is looked at through it. `users` and `last` are kept by `Views`."""

    opened: Opened
    filled: tuple[str, str | None] | None = None
    """The index's file, and why it was empty, when it held all that is looked at."""
    told: tuple[str, ...] = ()
    """What there was to tell of it then."""
    users: int = 0


@dataclass(slots=True)
class Views:
    """Views that are kept open, the last few; any thread may ask for one."""

    kept: dict[str, View] = field(default_factory=dict)
    mutex: threading.Lock = field(default_factory=threading.Lock)
    closed: bool = False

    def lend(self, key: str, make: Callable[[], Opened]) -> View:
        """The view of that key, made where it is not open; `give_back` is due for it."""
        with self.mutex:
            view = self.kept.pop(key, None)
            if view is None:
                view = View(make())
                view.opened.keep_answers()
            self.kept[key] = view
            view.users += 1
            return view

    def give_back(self, view: View) -> None:
        """Nobody uses it any more who has it of one `lend`; the oldest of too many are closed."""
        with self.mutex:
            view.users -= 1
            most = 0 if self.closed else MOST_OPEN
            for key in list(self.kept)[: max(len(self.kept) - most, 0)]:
                if not self.kept[key].users:
                    self.kept.pop(key).opened.close()

    def close(self) -> None:
        """Close all that nobody uses; the others follow when they are given back."""
        with self.mutex:
            self.closed = True
            for key in [key for key, view in self.kept.items() if not view.users]:
                self.kept.pop(key).opened.close()


def at_commit(opened: Opened, point: Point, *, shown: str, clock: Clock) -> tuple[View, Opened]:
    """The vault as it is in a commit, to be read alone, with that clock; what of its index is known stands in
    the `View`. The second is to be closed by whoever asked. Raises `GitError`."""
    name = _name(f"tree {point.tree}", opened)

    def make() -> Opened:
        return _with_own_index(opened, name, _files_of(opened, point, shown), shown=shown)

    view, shut = _lent(opened, name, make)
    return view, Opened(_as_of(view.opened, opened, point, shown, clock), opened.settings, shut)


def overlaid(opened: Opened, changes: Mapping[VaultPath, bytes | None], *, who: str, shown: str) -> Opened:
    """The vault as it lies there, with changed files (`None`: removed ones) laid over, to be read alone.

    Its index is for `who` looks, and for nobody else: others may not read what is in it."""
    from vault_memory.adapters.views.overlay import OverlaidFiles

    files = OverlaidFiles(opened.held.files, changes, shown=shown)
    name = _name(f"laid over by {who}", opened)

    def make() -> Opened:
        return _with_own_index(opened, name, files, shown=shown, of_commit=False)

    view, shut = _lent(opened, name, make)
    return Opened(replace(view.opened.ports, files=files), opened.settings, shut)


@contextmanager
def one_after_another(opened: Opened) -> Iterator[Callable[[Point, Clock], Opened]]:
    """Looks at one commit after the other with one index, so that of what two of them hold nothing is read
    again. Each replaces the one before; none need be closed."""
    name = _name(f"one after another, process {os.getpid()}, {next(_NUMBERS)}", opened)
    view = _with_own_index(opened, name, opened.held.files, shown="a commit", for_good=False)

    def look(point: Point, clock: Clock) -> Opened:
        shown = f"the vault as of commit {short(point.commit)}"
        view.held = replace(view.held, files=_files_of(opened, point, shown))
        return Opened(_as_of(view, opened, point, shown, clock), opened.settings, _nothing)

    try:
        yield look
    finally:
        view.close()


def seed_index(opened: Opened, root: Path) -> bool:
    """Begin the index of another vault of the same memories (a worktree's, at `root`) with a copy of this
    one's, before it is opened: whatever both hold is neither parsed nor embedded again.

    Whether that was done: not where it has an index already, nor where this one has none; then it is
    filled from the files as ever. Never raises for what a disk says no to but for a local folder that is
    not ours (`StorageError`)."""
    from vault_memory.adapters.files.local import LOCAL, prepare_local
    from vault_memory.adapters.indexes.sqlite.seeding import seed

    prepare_local(root)
    return seed(opened.held.files.root / LOCAL, root / LOCAL)


def standing_clock(opened: Opened, at: datetime) -> Clock:
    """A clock that stands at that moment."""
    from vault_memory.adapters.views.clock import StandingClock

    return StandingClock(at, opened.held.clock)


def _lent(opened: Opened, name: str, make: Callable[[], Opened]) -> tuple[View, Callable[[], None]]:
    """A view, and how to let go of it: one that is kept open, or one for this once."""
    views = opened.views
    if views is None:
        view = View(make())
        return view, view.opened.close
    view = views.lend(name, make)
    return view, partial(views.give_back, view)


def _with_own_index(
    opened: Opened, name: str, files: Files, *, shown: str, of_commit: bool = True, for_good: bool = True
) -> Opened:
    from vault_memory.adapters.files.local import LOCAL
    from vault_memory.adapters.files.lock import VaultLock
    from vault_memory.adapters.files.viewfolder import ViewFolder, sweep
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex
    from vault_memory.adapters.indexes.sqlite.seeding import FILE, seed
    from vault_memory.adapters.views.journal import NothingWaits
    from vault_memory.adapters.views.refusing import Refusing
    from vault_memory.adapters.views.uses import NothingUsed

    own, refusing = opened.held, Refusing(shown)
    local = own.files.root / LOCAL
    folder = ViewFolder(local / VIEWS, name, for_good=for_good)
    before = sweep(local / VIEWS, most=MOST_ON_DISK, beside=name)
    seed(local, folder.path, like=before if of_commit else None)
    assert isinstance(own.index, SqliteIndex)
    index = own.index.beside(folder.path / FILE)
    lock = VaultLock(folder.path / "lock")
    held = replace(
        own,
        files=files,
        lock=lock,
        journal=NothingWaits(shown),
        staging=cast("Staging", refusing),
        index=index,
        embedding=VaultLock(folder.path / "embedding"),
        committing=lock,
        merges=cast("Merges", refusing),
        remote=cast("Remote", refusing),
        worktrees=cast("Worktrees", refusing),
        uses=NothingUsed(),
        commits=None,
        answers=None,
    )
    return Opened(held, opened.settings, partial(shut, folder.close, index.close))


def _as_of(view: Opened, opened: Opened, point: Point, shown: str, clock: Clock) -> Ports:
    from vault_memory.adapters.views.history import HistoryAsOf
    from vault_memory.adapters.views.journal import NothingWaits

    history = HistoryAsOf(opened.held.history, point, shown)
    return replace(view.ports, history=history, journal=NothingWaits(shown), clock=clock)


def _files_of(opened: Opened, point: Point, shown: str) -> Files:
    from vault_memory.adapters.git.treefiles import CommitFiles

    settings = opened.settings
    return CommitFiles(
        opened.held.files.root,
        point.commit,
        shown=shown,
        max_bytes=settings["max_file_bytes"],
        exclude=settings["exclude"],
        inbox=settings["inbox"],
        git_timeout=settings["git_seconds"],
    )


def _name(what: str, opened: Opened) -> str:
    """The folder of an index: of another one where a setting decides otherwise what is a memory."""
    settings = opened.settings
    deciding = [settings[key] for key in ("exclude", "inbox", "max_file_bytes", "timezone", "embedder")]
    return hashlib.sha256(repr((what, *deciding)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _nothing() -> None:
    """The index stays open for the next commit."""
