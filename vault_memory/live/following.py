"""Following the files: what a watch hears of is in the index a moment later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from vault_memory.compose import Opened
from vault_memory.errors import IndexDamagedError, LockedError, VaultUnreadableError, VmemError
from vault_memory.live.pending import Load, Pending
from vault_memory.live.vectors import Vectors
from vault_memory.model.change import RefreshReport
from vault_memory.model.namespace import VaultPath
from vault_memory.model.watching import Watching
from vault_memory.ops.embed import NOT_NOW
from vault_memory.ops.follow import differing, stamp_at
from vault_memory.ops.mended import MENDED
from vault_memory.ops.refresh import rebuild, refresh, refresh_suspects
from vault_memory.ports import Hints, Watch

FEW = 500
"""So many files are looked at one by one; of more, all are compared."""
GRACE = 0.15
"""Seconds that a missing file has to come back in: some editors save by moving the old one away first."""
TICK = 5.0
"""Seconds between two looks at the clocks."""
SAFETY = 900.0
"""Seconds after which all files are compared though nothing was heard."""
SLEPT = 5.0
"""Seconds that wall time runs ahead of the steady clock when the machine slept."""
PATIENCE = 2.0
"""Seconds to wait for another writer before trying again later."""
PAUSES = (0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until the next try, after one failure, two …"""
SOON_AGAIN = 0.5
"""Seconds in which a question does not make a failed try anew."""

BEHIND = "the index is being brought up to the files; this answer may lack the last changes"
STARTED = "nobody was watching before"
POLLED = "the files are not watched"
SLEEP = "the machine slept"
IN_CASE = "it is time for it"


def nobody(_: object) -> None:
    """Hears nothing."""


class Following:
    """Keeps the index of one open vault up to its files, in a thread of its own.

    `moved` is told each new generation, `told` each report of what changed, and `stirred`, after each look
    at what was heard of, whether anything was not as the index had it. They are called from that thread
    and must be quick.
    """

    def __init__(
        self,
        opened: Opened,
        watch: Watch,
        *,
        moved: Callable[[int], None] = nobody,
        told: Callable[[RefreshReport], None] = nobody,
        stirred: Callable[[bool], None] = nobody,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened, self._watch = opened, watch
        self._moved, self._told, self._stirred = moved, told, stirred
        self._steady = steady
        self._vectors = Vectors(opened)
        self._pending = Pending()
        self._pending.add(Hints(everything=STARTED), steady())
        self._woken, self._hurry, self._stopping = threading.Event(), threading.Event(), threading.Event()
        self._hearing = threading.Lock()
        self._turn = threading.Lock()
        """Held by whoever works off hints."""
        self._done = threading.Condition()
        self._finished = 0
        """The ticket up to which all has been worked off."""
        self._thread: threading.Thread | None = None
        self.fault: Exception | None = None
        """What ended the thread, which nothing should; `None` where nothing did."""
        self._failure: VmemError | None = None
        self._failures = 0
        self._not_before = float("-inf")
        self._why: str | None = None
        self._news: list[str] = []
        self._compared = self._tried = float("-inf")
        self._clocks = (opened.held.clock.now(), steady())
        self._refreshed: datetime | None = None
        self._lag: float | None = None
        self._first: float | None = None

    def start(self) -> None:
        """Begin to watch, and compare all files, in the background."""
        self._thread = threading.Thread(target=self._run, name="vmem-following", daemon=True)
        self._thread.start()

    def catch_up(self, wait: float) -> tuple[str, ...]:
        """Have what was heard up to now worked off, within `wait` seconds; what to tell of the index.

        Raises `VaultUnreadableError` where the vault is not there or can't be looked at.
        """
        began = self._steady()
        told = self._catch_up(wait)
        self._vectors.soon(wait - (self._steady() - began))
        return told

    def _catch_up(self, wait: float) -> tuple[str, ...]:
        self._opened.ports.files.check_root()  # of a folder above it that is moved, no watch tells
        if self._has_ended():
            return self._without_a_thread()
        now = self._steady()
        self._hear()
        if self._is_polled() and now - self._compared >= self._opened.settings["refresh_seconds"]:
            self._pending.add(Hints(everything=POLLED), now)
        ticket = self._pending.ticket
        if self._finished >= ticket or self._are_known():
            return self._standing()
        if self._why is not None and now - self._tried < SOON_AGAIN:
            return self._standing()
        self._hurry.set()
        self._woken.set()
        with self._done:
            done = self._done.wait_for(lambda: self._finished >= ticket or self._has_ended(), wait)
        return self._standing() if done else (*self._standing(), BEHIND)

    def state(self) -> Watching:
        """How the files are watched, and whether the index is behind them."""
        folders, polled = self._watch.state()
        behind = self._why or (None if self._finished >= self._pending.ticket else BEHIND)
        failure = self._failure.message if self._failure is not None else None
        if self.fault is not None:
            failure = f"following ended by a bug in vmem: {type(self.fault).__name__}: {self.fault}"
        return Watching(folders, polled, behind, self._refreshed, self._lag, self._first, failure)

    def close(self) -> None:
        """End the thread and the watch. Twice is no fault."""
        self._stopping.set()
        self._hurry.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()
        self._watch.close()
        self._vectors.close()
        with self._done:
            self._done.notify_all()

    # In the thread

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as error:  # noqa: BLE001 - `fault` tells of it, and `state`
            # A fault of ours must not leave a vault unfollowed in silence: who asks looks themselves.
            self.fault = error
            with self._done:
                self._done.notify_all()

    def _follow(self) -> None:
        self._watch.start(self._heard)
        while not self._stopping.is_set():
            self._await()
            if self._stopping.is_set():
                return
            self._look_at_the_clocks()
            due = self._due()
            if due is not None and (due <= self._steady() or self._hurry.is_set()):
                with self._turn:
                    self._work()

    def _heard(self) -> None:
        """Called by the watch, from its thread, and often."""
        self._pending.stir(self._steady())
        self._woken.set()

    def _hear(self) -> None:
        """Take over what the watch has to tell, as one step: nobody may find it neither there nor here."""
        with self._hearing:
            self._pending.add(self._watch.take(), self._steady())

    def _await(self) -> None:
        due = self._due()
        if due is None:
            self._woken.wait(TICK)
        else:
            self._hurry.wait(min(max(due - self._steady(), 0.0), TICK))
        self._woken.clear()

    def _due(self) -> float | None:
        due = self._pending.due()
        return None if due is None else max(due, self._not_before)

    def _look_at_the_clocks(self) -> None:
        wall, steady = self._opened.held.clock.now(), self._steady()
        before_wall, before_steady = self._clocks
        self._clocks = wall, steady
        if (wall - before_wall).total_seconds() - (steady - before_steady) > SLEPT:
            self._pending.add(Hints(everything=SLEEP), steady)
        elif steady - max(self._compared, self._tried) > SAFETY:
            self._pending.add(Hints(everything=IN_CASE), steady)

    def _work(self) -> None:
        """Work off what is there. Whatever it fails of is told, and tried again."""
        self._hurry.clear()
        self._hear()
        load = self._pending.take()
        self._tried = self._steady()
        try:
            report = self._bring(load.hints)
        except VmemError as error:
            self._fail(load, error, _behind(error))
        else:
            if report.reason is not None:
                self._fail(load, None, report.reason)
            else:
                self._succeed(load, report)
        with self._done:
            self._finished = max(self._finished, load.ticket)
            self._done.notify_all()

    def _bring(self, hints: Hints) -> RefreshReport:
        """Bring the index up to what was heard."""
        ports, zone = self._opened.ports, self._opened.settings.zone
        try:
            if hints.everything is not None or len(hints.paths) > FEW:
                report = refresh(ports, zone, wait=PATIENCE, pace=NOT_NOW)
                if report.reason is None:
                    self._compared = self._steady()
                return report
            found, away = differing(ports, hints.paths, hints.arrived), frozenset[VaultPath]()
            if found.gone:
                away = frozenset(found.gone if self._stay_away(found.gone) else ())
                found = differing(ports, hints.paths, hints.arrived)
            if not found:
                return RefreshReport(generation=ports.index.generation)
            with ports.lock.held(wait=PATIENCE):
                if found.gone:  # it may be back this moment
                    found = differing(ports, hints.paths, hints.arrived)
                gone = [path for path in found.gone if path in away]
                self._pending.add(Hints(frozenset(found.gone).difference(gone)), self._steady())
                return refresh_suspects(ports, zone, found.suspect, gone)
        except IndexDamagedError:
            report = rebuild(ports, zone, wait=self._opened.settings["lock_seconds"])
            self._news.append(MENDED)
            return report

    def _stay_away(self, missing: Sequence[VaultPath]) -> bool:
        """Whether these are all missing for as long as an editor may need to put a file in the place of the
        one that it moved away. The first that is back ends the wait: its new text is asked for."""
        until = self._pending.last() + GRACE
        while self._steady() < until and not self._stopping.wait(0.005):
            if any(stamp_at(self._opened.ports, path) is not None for path in missing):
                return False
        return not self._stopping.is_set()

    def _succeed(self, load: Load, report: RefreshReport) -> None:
        self._failure, self._why, self._failures = None, None, 0
        self._not_before = float("-inf")
        now = self._steady()
        self._refreshed = self._opened.ports.clock.now()
        if self._first is None:
            self._first = now - self._tried
        elif report.touched and load.first is not None:
            self._lag = now - load.first
        if report.touched:
            self._moved(report.generation)
        if report.touched or report.unreadable:
            self._told(report)
        self._vectors.wanted()
        self._stirred(bool(report.touched))

    def _fail(self, load: Load, error: VmemError | None, why: str) -> None:
        self._failure, self._why = error, why
        pause = PAUSES[min(self._failures, len(PAUSES) - 1)]
        self._failures += 1
        now = self._steady()
        self._not_before = now + pause
        # Only of a lock is it sure that nothing else is to be looked at than before.
        again = load.hints if isinstance(error, LockedError) else Hints(everything=why)
        self._pending.add(again or Hints(everything=why), now, first=load.first)

    # In the thread of whoever asks

    def _are_known(self) -> bool:
        """Whether what was heard of is in the index already, as all is that vmem wrote itself."""
        if not self._pending.is_small(FEW) or not self._turn.acquire(blocking=False):
            return False
        try:
            if self._why is not None:
                return False
            load = self._pending.take()
            hints = load.hints
            try:
                known = hints.everything is None and not differing(
                    self._opened.ports, hints.paths, hints.arrived
                )
            except VmemError:
                known = False
            if not known:
                self._pending.add(hints, self._steady(), first=load.first)
                return False
            with self._done:
                self._finished = max(self._finished, load.ticket)
        finally:
            self._turn.release()
        self._vectors.wanted()
        self._stirred(False)
        return True

    def _without_a_thread(self) -> tuple[str, ...]:
        """Look at the files as a short process does."""
        if self._stopping.is_set():
            return self._standing()
        now = self._steady()
        if now - self._compared >= self._opened.settings["refresh_seconds"]:
            opened = self._opened
            report = refresh(opened.ports, opened.settings.zone, wait=PATIENCE, pace=NOT_NOW)
            self._compared, self._why = now, report.reason
        return self._standing()

    def _has_ended(self) -> bool:
        return self._thread is None or self._stopping.is_set() or self.fault is not None

    def _is_polled(self) -> bool:
        return self._watch.state()[1] is not None

    def _standing(self) -> tuple[str, ...]:
        if isinstance(self._failure, VaultUnreadableError):
            raise self._failure.with_traceback(None)
        news, self._news = self._news, []
        return (*news, *([self._why] if self._why is not None else []))


def _behind(error: VmemError) -> str:
    """Why the index is behind, for an answer."""
    if isinstance(error, LockedError):
        return "the index is behind the files: another vmem is writing"
    return f"the index is behind the files: {error.message}"
