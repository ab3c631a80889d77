"""Putting finished commits into the branch and the index in one step, beside other users of git.

The index goes first: a person's commit that reads between the two steps then takes our file along
instead of deleting it. Both locks are held and everything checked before either step."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vault_memory.adapters.git.gitindex import Staging, key_of
from vault_memory.adapters.git.locks import HeldError, Lock
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.refs import (
    ZERO,
    Move,
    MovedError,
    append_reflog,
    check_unmoved,
    lock_move,
    sync_ref,
)
from vault_memory.adapters.git.scratch import Scratch

MARKER = "unfinished.json"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05


class _IndexChangedError(Exception):
    """Somebody wrote the index after we had copied it."""


@dataclass(frozen=True, slots=True)
class Landing:
    """What is to become true together: the branch's move (`None`: none) and the index entries."""

    move: Move | None
    stagings: Mapping[str, Staging]
    commits: Mapping[int, str] = field(default_factory=dict)
    """The commit of each operation that the move brings."""


@dataclass(slots=True)
class Lander:
    """Lands in one repository. `contended` tells that somebody else was at work meanwhile."""

    opened: Opened
    scratch: Scratch
    wait: float
    sweep: Callable[[], None]
    by_git: bool = False
    """Let git move the branch, for the sake of a reference-transaction hook."""
    contended: bool = False

    def land(self, build: Callable[[str | None], Landing]) -> Landing:
        """Build on the branch's tip and land, again and again until nobody came between.

        Raises `HeldError` or `MovedError` once the wait is over, and what `build` and git raise."""
        deadline = time.monotonic() + self.wait
        pause = _FIRST_PAUSE
        landing: Landing | None = None
        while True:
            tip, ref = self.opened.tip(), self.opened.branch()
            if landing is None or landing.move is None or (landing.move.old, landing.move.ref) != (tip, ref):
                landing = build(tip)
            try:
                self._when_free()
                self._publish(landing)
            except _IndexChangedError:
                self.contended = True
                if time.monotonic() > deadline:
                    raise HeldError(self.opened.index.live + ".lock") from None
                continue
            except (HeldError, MovedError):
                self.contended = True
                if time.monotonic() > deadline:
                    raise
                self.sweep()
            else:
                return landing
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    def _when_free(self) -> None:
        """Spare the work of preparing an index while somebody holds its lock."""
        lock = self.opened.index.live + ".lock"
        if os.path.lexists(lock):
            raise HeldError(lock)

    def _publish(self, landing: Landing) -> None:
        index = self.opened.index
        if landing.move is None and not landing.stagings:
            return
        index.load(self.scratch)
        index.put(landing.stagings)
        finished = index.write()
        self._mark(landing)
        with Lock(finished, index.live) as lock:
            if key_of(index.live) != index.base:
                raise _IndexChangedError
            if landing.move is None:
                lock.commit()
            elif self.by_git:
                self._move_by_git(landing.move)
                lock.commit()
            else:
                self._move(landing.move, lock)
        index.settle()

    def _move(self, move: Move, index_lock: Lock) -> None:
        place = self.opened.place
        with lock_move(place, move, self.scratch.path("ref")) as lock:
            check_unmoved(place, move)
            append_reflog(place, move, self.opened.settings)
            index_lock.commit()
            lock.commit()
        sync_ref(place, move.ref)

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
