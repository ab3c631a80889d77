"""Commits a little later: a thread that gathers open intents and brings them into git together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from vault_memory.compose import Opened
from vault_memory.errors import ClosedError, LockedError, VmemError
from vault_memory.live.tidying import Tidying
from vault_memory.model.revision import CommitReport, RepoState
from vault_memory.ops.settle import settle

PATIENCE = 0.6
"""Seconds that a batch waits at most for another git to come to its end."""
_GLANCE = 0.02
"""Seconds between two looks at whether it has."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until what git did not take is tried again; each time twice as many."""
LOOK = 0.25
"""Seconds between two looks at `.git` while something waits, or while a race may still show."""
WATCHED = 10.0
"""Seconds for which the index is looked at after a commit: a git that read it before may write it back."""
_TO_NOTICE = 1.0
"""Seconds within which an idle thread has noticed that it is to end."""

Mark = tuple[RepoState, bool]
"""Where the repository stands, and whether somebody else's git is at work in it."""


@dataclass(slots=True)
class _Wish:
    """Somebody waits for the round of that number to end; what became of these numbers, or of all."""

    numbers: frozenset[int] | None
    round: int
    report: CommitReport | None = None


@dataclass(slots=True)
class _Plan:
    """What the thread is to do next. Guarded by the condition."""

    due: float | None = None
    """When the next round begins (monotonic seconds), `None` where nothing is to be committed."""
    begun: int = 0
    """How many rounds have begun."""
    wishes: list[_Wish] = field(default_factory=list)
    ending: bool = False


class Committing:
    """The `Commits` port over one open vault: still one commit a memory, made in batches.

    Its thread never ends by an error: what git refuses stays open, and is tried again after a pause
    that grows, or once the repository has changed. Other processes' intents are committed along.
    """

    def __init__(self, opened: Opened, *, seconds: float | None = None) -> None:
        """`seconds` is how long it gathers; else the setting `commit_seconds`."""
        self._opened = opened
        self._seconds = opened.settings["commit_seconds"] if seconds is None else seconds
        self._changed = threading.Condition()
        self._plan = _Plan()
        self._pause = FIRST_PAUSE
        self._stuck: Mark | None = None
        self._watch_until = float("-inf")
        self._tidying = Tidying(opened)
        self._started = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, with what a killed process left; twice is no fault."""
        with self._changed:
            self._started = True
            self._plan.due = time.monotonic()
            self._have_thread()

    def later(self, numbers: Sequence[int]) -> None:
        """These are written, and to be committed when the time of gathering is over."""
        if numbers:
            self._call(time.monotonic() + self._seconds)

    def now(self, numbers: Sequence[int]) -> CommitReport:
        """Commit all that waits, at once; what became of these numbers."""
        wish = self._wish(frozenset(numbers))
        with self._changed:
            while wish.report is None and self._alive():
                self._changed.wait()
        return wish.report or _of(self._without_thread(), numbers)

    def flush(self, wait: float) -> CommitReport:
        """Commit all that waits, within so many seconds; what became of it."""
        wish = self._wish(None)
        end = time.monotonic() + wait
        with self._changed:
            while wish.report is None and self._alive() and time.monotonic() < end:
                self._changed.wait(end - time.monotonic())
        if wish.report is not None or not self._alive():
            return wish.report or self._without_thread()
        pending = self._opened.ports.journal.pending()
        return CommitReport({}, {one.number: one.reason or "commits are being made" for one in pending}, {})

    def waiting(self) -> int:
        """How many intents are open."""
        return len(self._opened.ports.journal.pending())

    def close(self, wait: float) -> None:
        """Commit what waits and end, within so many seconds; twice is no fault.

        With 0 nothing more is committed: the next process does it."""
        with self._changed:
            self._plan.ending = True
            self._plan.due = time.monotonic() if wait > 0 and self._thread is not None else None
            self._changed.notify_all()
        self._tidying.stop()
        thread = self._thread
        if thread is not None:
            thread.join(max(wait, _TO_NOTICE))
        self._tidying.join()

    def _without_thread(self) -> CommitReport:
        """Before the start and after the end whoever asks commits for themselves."""
        return settle(self._opened.ports, wait=self._opened.settings["lock_seconds"])

    def _have_thread(self) -> None:
        """Have the thread run; anew, if a fault of ours has ended it. With the condition held."""
        if self._started and not self._plan.ending and not self._alive():
            # A daemon: an interpreter that ends must not wait for somebody's hook. What it was about to
            # commit is in the journal.
            self._thread = threading.Thread(target=self._run, name="vmem-commits", daemon=True)
            self._thread.start()

    def _alive(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _call(self, at: float) -> None:
        """Have a round begin at that time, or before."""
        with self._changed:
            due = self._plan.due
            self._plan.due = at if due is None else min(due, at)
            self._have_thread()
            self._changed.notify_all()

    def _wish(self, numbers: frozenset[int] | None) -> _Wish:
        """Have a round begin now. One that has begun may not have seen what was written since."""
        with self._changed:
            wish = _Wish(numbers, self._plan.begun + 1)
            self._plan.wishes.append(wish)
            self._plan.due = time.monotonic()
            self._have_thread()
            self._changed.notify_all()
        return wish

    def _run(self) -> None:
        try:
            with suppress(ClosedError):  # somebody closed the vault before this
                while self._next():
                    pass
        finally:
            with self._changed:
                self._thread = None
                self._plan.wishes.clear()
                self._changed.notify_all()

    def _next(self) -> bool:
        """Wait for something to do, and do it; whether there will be more."""
        with self._changed:
            if not self._is_due() and not self._plan.ending:
                self._changed.wait(self._rest())
            due, ending = self._is_due(), self._plan.ending
            if due:
                self._plan.due = None
                self._plan.begun += 1
            number = self._plan.begun
        if due:
            self._round(number, ending=ending)
        elif not ending:
            self._look()
        return not ending

    def _is_due(self) -> bool:
        return self._plan.due is not None and time.monotonic() >= self._plan.due

    def _rest(self) -> float | None:
        """Seconds until there is something to do, `None` until somebody calls."""
        now = time.monotonic()
        looks = self._stuck is not None or now < self._watch_until
        until = [LOOK] if looks else []
        if self._plan.due is not None:
            until.append(max(self._plan.due - now, 0.0))
        rest = self._tidying.rest(now)
        if rest is not None:
            until.append(rest)
        return min(until, default=None)

    def _round(self, number: int, *, ending: bool) -> None:
        """Commit what waits, and tell those who wait for it."""
        failure: str | None = None
        mark: Mark | None = None
        report = CommitReport({}, {}, {})
        try:
            if not ending:
                self._let_others_end()
            report = settle(self._opened.ports, wait=self._opened.settings["lock_seconds"])
            mark = self._mark() if report.waiting else None
        except VmemError as error:
            failure = error.message
        with self._changed:
            self._tell(number, report, failure)
            self._stuck = mark
            if report.waiting or failure is not None:
                self._plan.due = self._again_at()
            else:
                self._pause = FIRST_PAUSE
        if report.commits:
            self._watch_until = time.monotonic() + WATCHED
            self._tidying.committed(time.monotonic())
            with suppress(VmemError):  # a damaged index is told of and mended by whoever reads it
                self._opened.ports.index.tidy()

    def _again_at(self) -> float:
        """When the next try is, after one that left something; sooner where something new came."""
        again = time.monotonic() + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return again if self._plan.due is None else min(again, self._plan.due)

    def _tell(self, number: int, report: CommitReport, failure: str | None) -> None:
        for wish in self._plan.wishes:
            if wish.round > number:
                continue
            if failure is not None:
                wish.report = CommitReport({}, dict.fromkeys(wish.numbers or (), failure), {})
            else:
                wish.report = report if wish.numbers is None else _of(report, wish.numbers)
        self._plan.wishes = [wish for wish in self._plan.wishes if wish.report is None]
        self._changed.notify_all()

    def _let_others_end(self) -> None:
        """Wait while another git is at work, or was just now: its commit may be about to move the branch."""
        end = time.monotonic() + PATIENCE
        while self._is_busy() and time.monotonic() < end and not self._plan.ending:
            time.sleep(_GLANCE)

    def _is_busy(self) -> bool:
        return self._opened.ports.history.busy()

    def _mark(self) -> Mark:
        return self._opened.ports.history.state(), self._is_busy()

    def _look(self) -> None:
        """Between two rounds: has what stood in the way gone, has a race shown, is there much to pack?"""
        ports = self._opened.ports
        if self._stuck is not None and (mark := self._mark()) != self._stuck:
            self._stuck = mark
            repository, busy = mark
            if repository.blocked is None and not busy:
                self._call(time.monotonic() + self._seconds)
        if time.monotonic() < self._watch_until and not self._is_busy():
            if ports.history.thrown_away():
                self._call(time.monotonic())
                return
            with suppress(LockedError), ports.committing.held(wait=0):  # a vmem that commits heals, too
                ports.history.heal()
        if not self._is_busy():
            self._tidying.look(time.monotonic())


def _of(report: CommitReport, numbers: Iterable[int]) -> CommitReport:
    """The part of a report that is about these."""
    return CommitReport(
        *({number: part[number] for number in numbers if number in part} for part in
          (report.commits, report.waiting, report.unversioned))
    )  # fmt: skip
