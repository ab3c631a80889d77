"""Committing a batch of operations in one open repository, by the road that it asks for."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pygit2

from vault_memory.adapters.git import bulk, commit, mend, reasons
from vault_memory.adapters.git.cli import GitRefusedError
from vault_memory.adapters.git.conversion import blob_by_git, converted
from vault_memory.adapters.git.gitindex import Staging
from vault_memory.adapters.git.hooks import ON_REFS, Hooks
from vault_memory.adapters.git.landing import Lander, Landing
from vault_memory.adapters.git.locks import HeldError, since
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.plan import Plan, Step, plan
from vault_memory.adapters.git.recent import Recent, RecordFile, key_of
from vault_memory.adapters.git.refs import MovedError
from vault_memory.adapters.git.signed import SlowRoad, changed_files
from vault_memory.adapters.git.state import blocked
from vault_memory.adapters.git.trees import Entry, entry_at, last_change, root_of
from vault_memory.adapters.git.tries import one_by_one
from vault_memory.adapters.git.working import Working, read_working
from vault_memory.model.revision import Author, Intent
from vault_memory.ports import Progress

_RACE_NS = 200_000_000
_LOOKS, _BETWEEN = 3, 0.01


class BlockedError(Exception):
    """Something came up under way that lets everything wait; the message says what."""


@dataclass(slots=True)
class Batch:
    """One run. The three dictionaries are the report, by the operations' numbers."""

    opened: Opened
    lander: Lander
    record: RecordFile
    person: Author
    now: datetime
    now_ns: int
    progress: Progress
    commits: dict[int, str] = field(default_factory=dict)
    waiting: dict[int, str] = field(default_factory=dict)
    unversioned: dict[int, str] = field(default_factory=dict)
    _entries: dict[str, Entry] = field(default_factory=dict)
    _stored: set[str] = field(default_factory=set)

    def commit(self, intents: Sequence[Intent], tracked: dict[int, str]) -> None:
        """Take what can be taken and land it."""
        paths = dict.fromkeys(tracked[intent.number] for intent in intents)
        working = {path: read_working(self.opened.place.absolute(path)) for path in paths}
        started, known = key_of(self.opened.index.live), self.record.load().index
        if started is not None and started != known and abs(self.now_ns - started[2]) < _RACE_NS:
            self.lander.contended = True
        try:
            self.mend()
            self._take_road(lambda tip: self._plan(tip, intents, tracked, working).steps)
        except (HeldError, MovedError, GitRefusedError, BlockedError) as error:
            self._let_wait(intents, why(error))
        if self.lander.contended:
            self._look_again()

    def mend(self) -> None:
        """Put right what a race took from the index or from HEAD since the last look."""
        lost = mend.recheck(self.lander, self.record, self.now_ns)
        if lost:
            steps = [mend.again(self.opened, item, working) for item, working in lost]
            self._take_road(lambda _: steps)

    def _plan(
        self,
        tip: str | None,
        intents: Sequence[Intent],
        tracked: dict[int, str],
        working: dict[str, Working | None],
    ) -> Plan:
        repo, root = self.opened.repo, root_of(self.opened.repo, tip)

        def head_version(path: str) -> str | None:
            entry = entry_at(repo, root, path)
            blob = repo[entry.oid] if entry is not None else None
            return hashlib.sha256(blob.data).hexdigest() if isinstance(blob, pygit2.Blob) else None

        made = plan(intents, tracked, working, head_version)
        self.waiting = made.waiting
        for path, numbers in made.done.items():
            if tip is None:
                self.unversioned.update(dict.fromkeys(numbers, reasons.NOTHING_TO_REMOVE))
            else:
                self.commits.update(dict.fromkeys(numbers, last_change(repo, tip, path)))
        made.steps = [step for step in made.steps if not self._conflicted(step)]
        return made

    def _conflicted(self, step: Step) -> bool:
        """Whether the file is unmerged, as a stash leaves one; if so its operations wait."""
        index = self.opened.index
        index.load(self.lander.scratch)
        if index.conflicted(step.path):
            self.waiting.update(dict.fromkeys(step.closes, reasons.CONFLICTED))
            return True
        return False

    def _take_road(self, make: Callable[[str | None], list[Step]]) -> None:
        hooks = Hooks(self.opened.git, self.opened.place, self.opened.hooks_path())
        self.lander.by_git = ON_REFS in hooks.names
        signs = self.opened.signs()
        if (hooks.names or signs) and self.opened.git.path is None:
            wish = "signed commits" if signs else f"the hook {min(hooks.names)}"
            raise GitRefusedError(reasons.needs_git(f"this repository asks for {wish}"))
        if signs or hooks.names - {ON_REFS}:
            road = SlowRoad(self.opened.git, hooks, self.lander.scratch, self.person, self.now, signs)
            self.lander.quick = False
            self._one_by_one(road, make)
            return

        def build(tip: str | None) -> Landing:
            self._check_free()
            return self._chain(tip, self._ready(tip, make(tip)))

        self._landed(self.lander.land(build))

    def _ready(self, tip: str | None, steps: list[Step]) -> list[Step]:
        """The steps whose file has an entry; the others wait for the reason git gave."""
        root = root_of(self.opened.repo, tip)
        ready = []
        many = len(steps) >= bulk.FEWEST and self.opened.git.path is not None
        for step in steps:
            if step.working is not None and step.path not in self._entries:
                head = entry_at(self.opened.repo, root, step.path)
                try:
                    self._entries[step.path] = self._entry(step, head, inline=many)
                except GitRefusedError as error:
                    self.waiting.update(dict.fromkeys(step.closes, str(error)))
                    continue
            ready.append(step)
        return ready

    def _entry(self, step: Step, head: Entry | None, *, inline: bool) -> Entry:
        opened = self.opened
        assert step.working is not None
        what = converted(opened.repo, opened.settings, step.path, step.working.content)
        if what is None and inline:
            oid = pygit2.hash(step.working.content)
            return Entry(oid, commit.mode_of(opened, step, head))
        self._stored.add(step.path)
        if what is None:
            return commit.raw_entry(opened, step, head)
        if opened.git.path is None:
            raise GitRefusedError(reasons.needs_git(f"this file is stored by way of it ({what})"))
        known = (str(head.oid), head.mode) if head is not None else None
        blob, mode = blob_by_git(opened.git, self.lander.scratch, step.path, step.working, known)
        return Entry(pygit2.Oid(hex=blob), mode)

    def _chain(self, tip: str | None, steps: list[Step]) -> Landing:
        opened = self.opened
        if len(steps) < bulk.FEWEST or opened.git.path is None:
            for step in steps:
                if step.path not in self._stored and step.working is not None:
                    opened.repo.create_blob(step.working.content)
            return commit.build(opened, tip, steps, self._entries, self.person, self.now)
        return self._bulk(tip, steps)

    def _bulk(self, tip: str | None, steps: list[Step]) -> Landing:
        opened = self.opened
        root = root_of(opened.repo, tip)
        wanted = {step.path: self._entries.get(step.path) if step.working else None for step in steps}
        new = [step for step in steps if entry_at(opened.repo, root, step.path) != wanted[step.path]]
        if not new:
            return commit.build(opened, tip, steps, self._entries, self.person, self.now)
        total = len(new)
        importer = bulk.Importer(
            opened.git,
            self.lander.scratch,
            self.person,
            self.now,
            lambda done: self.progress("commit", done, total),
        )
        made = importer.commits(tip, new, self._entries, frozenset(self._stored))
        commits: dict[int, str] = {}
        stagings = commit.Stagings(opened, root)
        for step, made_commit in zip(new, made, strict=True):
            commits.update(dict.fromkeys(step.closes, made_commit))
            stagings.add(step.path, wanted[step.path], step)
        taken = {id(step) for step in new}
        for step in steps:
            if id(step) not in taken and tip is not None:
                commits.update(dict.fromkeys(step.closes, last_change(opened.repo, tip, step.path)))
        ref = opened.branch()
        assert ref is not None
        move = commit.move_to(ref, tip, made[-1], new, self.person, self.now)
        return Landing(move, stagings.made, commits)

    def _one_by_one(self, road: SlowRoad, make: Callable[[str | None], list[Step]]) -> None:
        """Each step with hooks and signature; a refusal lets that step wait."""
        steps = make(self.opened.tip())
        one_by_one(steps, lambda step: self._one(road, step), self.waiting, self.progress)

    def _one(self, road: SlowRoad, step: Step) -> None:
        opened = self.opened
        made: dict[str | None, str] = {}

        def build(tip: str | None) -> Landing:
            self._check_free()
            root = root_of(opened.repo, tip)
            head = entry_at(opened.repo, root, step.path)
            entry = self._entry(step, head, inline=False) if step.working is not None else None
            if entry == head and tip is not None:
                known = last_change(opened.repo, tip, step.path)
                return Landing(None, {}, dict.fromkeys(step.closes, known))
            made.clear()
            made[tip] = road.make(tip, step, (str(entry.oid), entry.mode) if entry is not None else None)
            stagings = self._after_hooks(tip, made[tip], step, entry)
            ref = opened.branch()
            assert ref is not None
            move = commit.move_to(ref, tip, made[tip], [step], self.person, self.now)
            return Landing(move, stagings, dict.fromkeys(step.closes, made[tip]))

        landing = self.lander.land(build)
        self._landed(landing)
        if landing.move is not None:
            road.after()

    def _after_hooks(self, tip: str | None, made: str, step: Step, entry: Entry | None) -> dict[str, Staging]:
        """What the index is to hold: a hook may have rewritten the file, or added others."""
        stagings: dict[str, Staging] = {}
        for path, (before, after) in changed_files(self.opened.git, tip, made).items():
            new = Entry(pygit2.Oid(hex=after[0]), after[1]) if after else None
            known = {pair[0] for pair in (before, after) if pair}
            if path == step.path and entry is not None:
                known.add(str(entry.oid))
            stat = None
            if new is not None:
                working = read_working(self.opened.place.absolute(path))
                as_read = (
                    path == step.path
                    and new == entry
                    and working is not None
                    and (step.working is not None and working.version == step.working.version)
                )
                if working is not None and (as_read or pygit2.hash(working.content) == new.oid):
                    stat = working.stat
            over = frozenset(pygit2.Oid(hex=blob) for blob in known)
            stagings[path] = Staging(new, stat, over, over_absent=before is None)
        return stagings

    def _check_free(self) -> None:
        reason = blocked(self.opened.place)
        if reason is not None:
            raise BlockedError(reason)

    def _landed(self, landing: Landing) -> None:
        self.commits.update(landing.commits)
        if landing.move is None:
            return
        record = self.record.load()
        record.forget_old(self.now_ns)
        record.add(
            {
                path: Recent(
                    path,
                    str(staging.entry.oid) if staging.entry else None,
                    staging.entry.mode if staging.entry else 0,
                    self._version(path),
                    landing.move.new,
                    self.now_ns,
                    tuple(sorted(map(str, staging.over))),
                    staging.over_absent,
                )
                for path, staging in landing.stagings.items()
            }
        )
        record.index, record.tip = self.opened.index.base, landing.move.new
        self.record.save(record)

    def _version(self, path: str) -> str | None:
        working = read_working(self.opened.place.absolute(path))
        return working.version if working is not None else None

    def _let_wait(self, intents: Sequence[Intent], reason: str) -> None:
        for intent in intents:
            number = intent.number
            if number not in self.commits and number not in self.unversioned:
                self.waiting.setdefault(number, reason)

    def _look_again(self) -> None:
        """Where somebody else's git was just at work, it may be about to write back an old index."""
        for _ in range(_LOOKS):
            time.sleep(_BETWEEN)
            try:
                self.mend()
            except (HeldError, MovedError, GitRefusedError, BlockedError):  # the next call looks again
                return


def why(error: Exception) -> str:
    """The reason that a report gives for what stopped a batch."""
    if isinstance(error, HeldError):
        return reasons.held(os.path.basename(error.path), since(error.path))
    if isinstance(error, MovedError):
        return "the branch moved again and again while the commit was made"
    return str(error)
