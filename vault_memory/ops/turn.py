"""A writer's turn: files and index under the vault's lock, and the commits once others may write again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from vault_memory.errors import ConflictError, LockedError, VmemError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.outcome import FOLLOWS, Written
from vault_memory.model.revision import EDITED_SINCE, FILE_IS_BACK, CommitReport, Intent
from vault_memory.ops.settle import settle
from vault_memory.ports import Ports, Progress, no_progress

T = TypeVar("T")

CHANGED = "the file was changed by someone else at the same moment"
_OVERTAKEN = (EDITED_SINCE, FILE_IS_BACK)
_ROUNDS = 10
"""So often an act begins anew because something had to be committed before it."""


class CommitFirstError(Exception):
    """Raised under the lock: before this act can go on, these open intents and these versions of a
    person's have to be in git. `Turn.take` sees to it without the lock, and the act begins anew."""

    def __init__(self, numbers: Iterable[int] = (), persons: Sequence[Intent] = ()) -> None:
        super().__init__("something has to be committed first")
        self.numbers = tuple(numbers)
        self.persons = tuple(persons)


@dataclass(slots=True)
class Turn:
    """One operation's writes, and what becomes of their commits.

    `wait` is how many seconds it waits for each of the vault's two locks. With `saved` its memories need
    only be written and searchable when it ends, where somebody commits later. Never held together with
    another turn.
    """

    ports: Ports
    wait: float
    progress: Progress = no_progress
    saved: bool = False
    _open: dict[int, Intent] = field(default_factory=dict)
    """The intents of what this turn has written."""
    _began: bool = False
    _tried: set[int] = field(default_factory=set)
    """Intents that were there before, for whose commit it has waited."""
    _report: CommitReport = field(default_factory=lambda: CommitReport({}, {}, {}))

    def take(self, act: Callable[[], T]) -> T:
        """Do `act` under the vault's lock, and commit what it has written once that is free.

        What an act that fails had written before is committed too, and its error raised. Raises
        `LockedError` where another one writes all the while.
        """
        try:
            return self._under_lock(act)
        finally:
            self._commit()

    def began(self, intents: Iterable[Intent]) -> None:
        """These intents are this turn's, and what they say is written."""
        self._open.update({intent.number: intent for intent in intents})
        self._began = True

    def need_committed(self, intents: Iterable[Intent]) -> None:
        """Go on only once git has these, or has said no to them; else `CommitFirstError`."""
        numbers = [one.number for one in intents if one.number not in self._tried | self._open.keys()]
        if numbers:
            raise CommitFirstError(numbers)

    def need_free(self, pending: Iterable[Intent], paths: Iterable[VaultPath]) -> None:
        """The same for those of the open intents that are of these paths: a version that is written over
        before its commit would never be in history."""
        wanted = set(paths)
        self.need_committed(one for one in pending if one.operation.path in wanted)

    def settle(self) -> None:
        """Commit what waits before the act, as far as git lets it; outside the lock."""
        with self.ports.lock.held(wait=self.wait):  # every write is a whole one then
            numbers = [one.number for one in self.ports.journal.pending()]
        self._bring(numbers)

    def committed(self, written: Iterable[Written]) -> list[Written]:
        """The outcomes with their commits, or why they have none yet. After `take`."""
        numbers = {(one.operation.path, one.operation.version): one.number for one in self._open.values()}
        return [self._told(one, numbers.get((one.path, one.version))) for one in written]

    def _told(self, one: Written, number: int | None) -> Written:
        if number is None or one.known:
            return one
        report = self._report
        reason = report.waiting.get(number) or report.unversioned.get(number)
        commit = report.commits.get(number)
        return replace(one, commit=commit, reason=reason if commit or reason else CHANGED)

    def _under_lock(self, act: Callable[[], T]) -> T:
        path: VaultPath | None = None
        for _ in range(_ROUNDS):
            try:
                with self.ports.lock.held(wait=self.wait):
                    return act()
            except CommitFirstError as first:
                path = first.persons[0].operation.path if first.persons else path
                self._bring(first.numbers)
                self._bring_persons(first.persons)
        raise ConflictError(path or "", "it changes all the while", hint="try again once it is quiet")

    def _bring(self, numbers: Sequence[int]) -> None:
        """Have these committed; what git does not take now keeps waiting, and is no longer waited for."""
        self._tried.update(numbers)
        try:
            if self.ports.commits is not None:
                self.ports.commits.now(numbers)
            else:
                settle(self.ports, wait=self.wait, progress=self.progress)
        except LockedError:
            return

    def _bring_persons(self, intents: Sequence[Intent]) -> None:
        """Commit a person's own versions. Raises `ConflictError` where git can't take one now.

        They never enter the journal: after a kill or a refusal, an intent would some day commit a
        person's draft that no operation stands behind any more.
        """
        if not intents:
            return
        reasons: dict[int, str] = {}
        commits: dict[int, str] = {}
        try:
            with self.ports.committing.held(wait=self.wait):
                report = self.ports.history.commit(intents)
            commits, reasons = report.commits, report.waiting | report.unversioned
        except LockedError:
            reasons = {intent.number: "another vmem is making commits" for intent in intents}
        for intent in intents:
            reason = reasons.get(intent.number)
            # One that was saved again meanwhile is looked at anew.
            if intent.number not in commits and reason not in _OVERTAKEN:
                raise ConflictError(
                    intent.operation.path,
                    f"it holds a change of yours that git can't commit now: {reason}",
                    hint="commit or revert it first, so that your version can't be lost",
                )

    def _commit(self) -> None:
        """Commit what was written, and what waits: also where all was written before. It is saved whatever
        comes of that, so nothing is raised."""
        own = list(self._open.values())
        if not own and (not self._began or self.ports.commits is not None):
            return
        if self.saved and self.ports.commits is not None:
            self.ports.commits.later(list(self._open))
            self._report.waiting.update(dict.fromkeys(self._open, FOLLOWS))
            return
        try:
            self._report = self._asked(own)
            if any(self._report.waiting.get(one.number) in _OVERTAKEN for one in own):
                # Somebody wrote to it in the middle; if that was a vmem, its commit holds both.
                self._report = settle(self.ports, wait=self.wait, own=own, progress=self.progress)
        except LockedError:
            self._report.waiting.update(dict.fromkeys(self._open, self._busy()))
        except VmemError as error:
            self._report.waiting.update(dict.fromkeys(self._open, error.message))

    def _asked(self, own: Sequence[Intent]) -> CommitReport:
        if self.ports.commits is None:
            return settle(self.ports, wait=self.wait, own=own, progress=self.progress)
        report = self.ports.commits.now(list(self._open))
        told = report.commits.keys() | report.waiting.keys() | report.unversioned.keys()
        rest = [one for one in own if one.number not in told]
        if not rest:
            return report
        more = settle(self.ports, wait=self.wait, own=rest, progress=self.progress)
        return CommitReport(
            report.commits | more.commits,
            report.waiting | more.waiting,
            report.unversioned | more.unversioned,
        )

    def _busy(self) -> str:
        """Why it was not committed where another one commits all the while."""
        try:
            holder = self.ports.committing.holder()
        except VmemError:
            holder = None
        who = f" (process {holder[0]})" if holder is not None and holder[0] else ""
        return f"another vmem is making commits{who}; the next write commits it too"
