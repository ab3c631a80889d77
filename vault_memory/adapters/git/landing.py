"""Putting finished commits into the branch and the index in one step, beside other users of git.

The index goes first: a person's commit that reads between the two steps then takes our file along
instead of deleting it. Both locks are held and everything checked before either step."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import pygit2

from vault_memory.adapters.git.durable import object_file, sync_files
from vault_memory.adapters.git.gitindex import Staging
from vault_memory.adapters.git.locks import HeldError, Lock
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.recent import key_of
from vault_memory.adapters.git.refs import (
    ZERO,
    Move,
    MovedError,
    append_reflog,
    check_unmoved,
    prepare_move,
    sync_ref,
)
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.state import blocked
from vault_memory.adapters.git.traces import Traces
from vault_memory.adapters.git.trees import TreeFiles, root_of
from vault_memory.adapters.git.working import look_at, read_working, same_file

MARKER, HOLD = "unfinished.json", "hold"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05


class _IndexChangedError(Exception):
    """Somebody wrote the index after we had copied it, or is about to use an older one."""


class _SetBackError(Exception):
    """A file is again what the branch has of it: a git that held the index until now has set it back."""


@dataclass(frozen=True, slots=True)
class Landing:
    """What is to become true together: the branch's move (`None`: none) and the index entries."""

    move: Move | None
    stagings: Mapping[str, Staging]
    commits: Mapping[int, str] = field(default_factory=dict)
    """The commit of each operation that the move brings."""
    objects: Sequence[str] = ()
    """New objects that may not be on the disk yet."""
    brought: Mapping[str, str] = field(default_factory=dict)
    """The commit that brings each path's entry; where it is not told, the last of the move."""


@dataclass(slots=True)
class Lander:
    """Lands in one repository. `contended` tells that somebody else was at work meanwhile."""

    opened: Opened
    scratch: Scratch
    wait: float
    release: Callable[[], None]
    """Free locks that a dead writer holds."""
    traces: Traces
    """Whether another git is between two of its steps."""
    by_git: bool = False
    """Let git move the branch, for the sake of a reference-transaction hook."""
    quick: bool = True
    """Whether `build` is quick enough to be called with the index locked."""
    contended: bool = False
    _synced: set[str] = field(default_factory=set)
    """Objects that are on the disk."""

    def land(self, build: Callable[[str | None], Landing]) -> Landing:
        """Build on the branch's tip and land, again and again until nobody came between.

        Raises `HeldError` or `MovedError` once the wait is over, and what `build` and git raise."""
        deadline = time.monotonic() + self.wait
        pause = _FIRST_PAUSE
        landing: Landing | None = None
        while True:
            landing = self._on_tip(build, landing)
            try:
                self._when_free()
                if landing.move is not None and blocked(self.opened.place):
                    # A rebase that began this moment would stop in its middle at an index that is locked.
                    landing = build(landing.move.old)
                if self.contended:
                    landing = self._publish_alone(build, landing)
                else:
                    self._publish(landing)
            except _IndexChangedError:
                self.contended = True
                continue
            except _SetBackError:
                self.contended, landing = True, None
                continue
            except (HeldError, MovedError):
                self.contended = True
                if time.monotonic() > deadline:
                    raise
                self.release()
            else:
                self.traces.ours()
                return landing
            time.sleep(pause)
            pause = min(pause * 1.2, _LONGEST_PAUSE)

    def _publish_alone(self, build: Callable[[str | None], Landing], landing: Landing) -> Landing:
        """Hold the index's lock all the while, since others are at work; what was put in place."""
        self._sync(landing)  # before the lock: the others wait for it
        self._mark(landing)
        with Lock(self._placeholder(), self.opened.index.live) as held:
            if self.quick:
                landing = self._on_tip(build, landing)
            self._publish(landing, held)
        return landing

    def _on_tip(self, build: Callable[[str | None], Landing], last: Landing | None) -> Landing:
        """The last landing, if it still fits where the branch is, else a new one."""
        tip, ref = self.opened.tip(), self.opened.branch()
        if last is not None and last.move is not None and (last.move.old, last.move.ref) == (tip, ref):
            return last
        return build(tip)

    def _placeholder(self) -> str:
        """What the lock holds when it is taken before the index is prepared."""
        path = self.scratch.path(HOLD)
        with open(path, "wb"):
            return path

    def _when_free(self) -> None:
        """Spare the work of preparing an index while somebody holds its lock or has let go of it just now."""
        self.traces.wait()
        lock = self.opened.index.live + ".lock"
        if os.path.lexists(lock):
            raise HeldError(lock)

    def _locked(self, finished: str, held: Lock | None) -> AbstractContextManager[Lock]:
        """The index's lock, taken with what the index is to become, unless we have it."""
        if held is not None:
            return nullcontext(held)
        if self.traces.are_there():
            raise _IndexChangedError
        return Lock(finished, self.opened.index.live)

    def _publish(self, landing: Landing, held: Lock | None = None) -> None:
        """Prepare the index and put it and the branch in place. `held` is the index's lock, if we have it
        already; else the index is prepared first, so that the lock is held for a moment only."""
        index = self.opened.index
        if landing.move is None and not landing.stagings:
            return
        index.load(self.scratch)
        index.put(landing.stagings)
        finished = index.write()
        self._mark(landing)
        move = landing.move
        if move is None or self.by_git:
            self._sync(landing, finished)
            with self._locked(finished, held) as lock:
                self._check_index()
                self._check_files(landing)
                if move is not None:
                    self._move_by_git(move)
                lock.commit(finished)
        else:
            self._move(landing, move, finished, held)
        index.settle()

    def _move(self, landing: Landing, move: Move, finished: str, held: Lock | None) -> None:
        place = self.opened.place
        branch = prepare_move(place, move, self.scratch.path("ref"))
        self._sync(landing, finished, self.scratch.path("ref"))
        with self._locked(finished, held) as index:
            self._check_index()
            self._check_files(landing)
            with branch:
                check_unmoved(place, move)
                append_reflog(place, move, self.opened.settings)
                index.commit(finished)
                branch.commit(self.scratch.path("ref"))
        sync_ref(place, move.ref)

    def _sync(self, landing: Landing, *files: str) -> None:
        objects = [oid for oid in landing.objects if oid not in self._synced]
        sync_files([*(object_file(self.opened.place, oid) for oid in objects), *files])
        self._synced.update(objects)

    def _check_index(self) -> None:
        """With the lock held: raise unless the index is still the one that was copied."""
        index = self.opened.index
        if key_of(index.live) != index.base:
            raise _IndexChangedError

    def _check_files(self, landing: Landing) -> None:
        """With the lock held: raise where a commit would hold what the working tree holds no more.

        No other git changes files meanwhile. What a person has written since is theirs, and no reason."""
        move = landing.move
        if move is None or not self.quick:
            return
        seen = {path: look_at(self.opened.place.absolute(path)) for path in landing.stagings}
        head: TreeFiles | None = None
        for path, staging in landing.stagings.items():
            if same_file(seen[path], staging.stat):
                continue
            head = head or TreeFiles(self.opened.repo, root_of(self.opened.repo, move.old))
            before = head.entry(path)
            working = read_working(self.opened.place.absolute(path))
            now = pygit2.hash(working.content) if working is not None else None
            if now == (before.oid if before else None) != (staging.entry.oid if staging.entry else None):
                raise _SetBackError

    def _move_by_git(self, move: Move) -> None:
        check_unmoved(self.opened.place, move)
        self.opened.git.get("update-ref", "-m", move.line, move.ref, move.new, move.old or ZERO)

    def _mark(self, landing: Landing) -> None:
        """Say what is about to happen, for whoever finds this folder after a kill."""
        move = landing.move
        marker = {
            "gitdir": self.opened.place.gitdir,
            "ref": move.ref if move else None,
            "old": move.old if move else None,
            "new": move.new if move else None,
            "committer": move.committer if move else "",
            "line": move.line if move else "",
            "files": {
                path: {
                    "blob": str(staging.entry.oid) if staging.entry else None,
                    "mode": staging.entry.mode if staging.entry else 0,
                    "over": sorted(map(str, staging.over)),
                    "absent": staging.over_absent,
                }
                for path, staging in landing.stagings.items()
            },
        }
        with open(self.scratch.path(MARKER), "w", encoding="utf-8", errors="surrogateescape") as file:
            json.dump(marker, file)
