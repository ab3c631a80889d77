"""Committing a batch of operations in one open repository, by the road that it asks for."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pygit2

from vault_memory.adapters.git import bulk, commit, mend, reasons
from vault_memory.adapters.git.between import changed_files
from vault_memory.adapters.git.cli import GitRefusedError
from vault_memory.adapters.git.conversion import blob_by_git, converted
from vault_memory.adapters.git.gitindex import Staging
from vault_memory.adapters.git.hooks import ON_REFS, Hooks
from vault_memory.adapters.git.landing import Lander, Landing
from vault_memory.adapters.git.locks import HeldError, since
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.plan import Part, Plan, Step, plan
from vault_memory.adapters.git.recent import UNSEEN, Recent, RecordFile, key_of
from vault_memory.adapters.git.refs import MovedError
from vault_memory.adapters.git.signed import SlowRoad
from vault_memory.adapters.git.state import blocked
from vault_memory.adapters.git.trees import Entry, TreeFiles, last_change, root_of
from vault_memory.adapters.git.tries import one_by_one
from vault_memory.adapters.git.working import read_working
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
    _seen: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Version and mode of the file that each entry was made of."""
    _stored: set[str] = field(default_factory=set)

    def commit(self, intents: Sequence[Intent], tracked: dict[int, str]) -> None:
        """Take what can be taken and land it."""
        started, known = key_of(self.opened.index.live), self.record.load().index
        if started is not None and started != known and abs(self.now_ns - started[2]) < _RACE_NS:
            self.lander.contended = True
        try:
            self.mend()
            self._take_road(lambda tip: self._plan(tip, intents, tracked).steps)
        except (HeldError, MovedError, GitRefusedError, BlockedError) as error:
            self._let_wait(intents, why(error))
        if self.lander.contended:
            self._look_again()

    def mend(self) -> None:
        """Put right what a race took from the index or from HEAD since the last look."""
        lost = mend.recheck(self.lander, self.record, self.now_ns)
        if lost:
            steps = mend.again(self.opened, lost)
            self._take_road(lambda _: steps)

    def _plan(self, tip: str | None, intents: Sequence[Intent], tracked: dict[int, str]) -> Plan:
        """What can be made on that tip of the files as they are now."""
        paths = dict.fromkeys(tracked[intent.number] for intent in intents)
        working = {path: read_working(self.opened.place.absolute(path)) for path in paths}
        repo = self.opened.repo
        head = TreeFiles(repo, root_of(repo, tip))

        def head_version(path: str) -> str | None:
            entry = head.entry(path)
            blob = repo[entry.oid] if entry is not None else None
            return hashlib.sha256(blob.data).hexdigest() if isinstance(blob, pygit2.Blob) else None

        made = plan(intents, tracked, working, head_version)
        self.waiting = made.waiting
        for path, numbers in made.done.items():
            if tip is None:
                self.unversioned.update(dict.fromkeys(numbers, reasons.NOTHING_TO_REMOVE))
            else:
                self.commits.update(dict.fromkeys(numbers, last_change(repo, tip, path)))
        made.steps = [
            merged
            for step in made.steps
            for merged in step.only(part for part in step.parts if not self._conflicted(part))
        ]
        return made

    def _conflicted(self, part: Part) -> bool:
        """Whether the file is unmerged, as a stash leaves one; if so its operations wait."""
        index = self.opened.index
        index.load(self.lander.scratch)
        if index.conflicted(part.path):
            self.waiting.update(dict.fromkeys(part.closes, reasons.CONFLICTED))
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
        """The steps with those files that have an entry; the others wait for the reason git gave."""
        head = TreeFiles(self.opened.repo, root_of(self.opened.repo, tip))
        many = bulk.worth(steps) and self.opened.git.path is not None
        return [
            taken
            for step in steps
            for taken in step.only(part for part in step.parts if self._has_entry(head, part, many))
        ]

    def _has_entry(self, head: TreeFiles, part: Part, many: bool) -> bool:
        if part.working is None:
            return True
        seen = part.working.version, part.working.stat.st_mode
        if self._seen.get(part.path) != seen:
            try:
                self._entries[part.path] = self._entry(part, head.entry(part.path), inline=many)
                self._seen[part.path] = seen
            except GitRefusedError as error:
                self.waiting.update(dict.fromkeys(part.closes, str(error)))
                return False
        return True

    def _entry(self, part: Part, head: Entry | None, *, inline: bool) -> Entry:
        opened = self.opened
        assert part.working is not None
        what = converted(opened.repo, opened.settings, part.path, part.working.content)
        if what is None and inline:
            oid = pygit2.hash(part.working.content)
            return Entry(oid, commit.mode_of(opened, part, head))
        self._stored.add(part.path)
        if what is None:
            return commit.raw_entry(opened, part, head)
        if opened.git.path is None:
            raise GitRefusedError(reasons.needs_git(f"this file is stored by way of it ({what})"))
        blob, mode = blob_by_git(opened.git, self.lander.scratch, part.path, part.working, as_git(head))
        return Entry(pygit2.Oid(hex=blob), mode)

    def _chain(self, tip: str | None, steps: list[Step]) -> Landing:
        opened = self.opened
        if not bulk.worth(steps) or opened.git.path is None:
            for part in (part for step in steps for part in step.parts):
                if part.path not in self._stored and part.working is not None:
                    opened.repo.create_blob(part.working.content)
            return commit.build(opened, tip, steps, self._entries, self.person, self.now)
        return self._bulk(tip, steps)

    def _bulk(self, tip: str | None, steps: list[Step]) -> Landing:
        opened = self.opened
        root = root_of(opened.repo, tip)
        new, held = self._new_steps(root, steps)
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
        stagings = commit.Stagings(TreeFiles(opened.repo, root))
        for step, made_commit in zip(new, made, strict=True):
            commits.update(dict.fromkeys(step.closes, made_commit))
            for path, part in ((part.path, part) for part in step.parts):
                stagings.add(part, self._entries[path] if part.working else None, made_commit)
        if tip is not None:
            for step in held:
                commits.update(commit.known_commits(opened.repo, tip, step))
        move = commit.move_to(commit.branch_of(opened), tip, made[-1], new, self.person, self.now)
        return Landing(move, stagings.made, commits, brought=stagings.commits)

    def _new_steps(self, root: pygit2.Oid | None, steps: list[Step]) -> tuple[list[Step], list[Step]]:
        """The steps that change something, and those whose files `root` holds already."""
        new: list[Step] = []
        held: list[Step] = []
        head = TreeFiles(self.opened.repo, root)
        for step in steps:
            wanted = commit.entries_of(step, self._entries)
            changes = any(head.entry(path) != entry for path, entry in wanted.items())
            (new if changes else held).append(step)
        return new, held

    def _one_by_one(self, road: SlowRoad, make: Callable[[str | None], list[Step]]) -> None:
        """Each step with hooks and signature; a refusal lets that step wait."""
        steps = make(self.opened.tip())
        one_by_one(steps, lambda step: self._one(road, step), self.waiting, self.progress)

    def _one(self, road: SlowRoad, step: Step) -> None:
        opened = self.opened
        made: dict[str | None, str] = {}

        def build(tip: str | None) -> Landing:
            self._check_free()
            head = TreeFiles(opened.repo, root_of(opened.repo, tip))
            heads = {part.path: head.entry(part.path) for part in step.parts}
            entries = {
                part.path: self._entry(part, heads[part.path], inline=False) if part.working else None
                for part in step.parts
            }
            if entries == heads and tip is not None:
                return Landing(None, {}, commit.known_commits(opened.repo, tip, step))
            made.clear()
            made[tip] = road.make(tip, step, {path: as_git(entry) for path, entry in entries.items()})
            stagings = self._after_hooks(tip, made[tip], step, entries)
            move = commit.move_to(commit.branch_of(opened), tip, made[tip], [step], self.person, self.now)
            return Landing(move, stagings, dict.fromkeys(step.closes, made[tip]))

        landing = self.lander.land(build)
        self._landed(landing)
        if landing.move is not None:
            road.after()

    def _after_hooks(
        self, tip: str | None, made: str, step: Step, entries: Mapping[str, Entry | None]
    ) -> dict[str, Staging]:
        """What the index is to hold: a hook may have rewritten the files, or added others."""
        stagings: dict[str, Staging] = {}
        read = {part.path: part.working.version for part in step.parts if part.working is not None}
        for path, (before, after) in changed_files(self.opened.git, tip, made).items():
            new = Entry(pygit2.Oid(hex=after[0]), after[1]) if after else None
            known = {pair[0] for pair in (before, after) if pair}
            entry = entries.get(path)
            if entry is not None:
                known.add(str(entry.oid))
            stat, version = None, None
            if new is not None:
                working = read_working(self.opened.place.absolute(path))
                as_read = new == entry and working is not None and working.version == read.get(path)
                if working is not None and (as_read or pygit2.hash(working.content) == new.oid):
                    stat, version = working.stat, working.version
            over = frozenset(pygit2.Oid(hex=blob) for blob in known)
            stagings[path] = Staging(new, stat, over, before is None, version)
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
                    # As it was committed: it may have been written to since, and then its stat would make
                    # git take the newer bytes for these.
                    UNSEEN if staging.entry and staging.version is None else staging.version,
                    landing.brought.get(path, landing.move.new),
                    self.now_ns,
                    tuple(sorted(map(str, staging.over))),
                    staging.over_absent,
                )
                for path, staging in landing.stagings.items()
            }
        )
        record.index, record.tip = self.opened.index.base, landing.move.new
        self.record.save(record)

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


def as_git(entry: Entry | None) -> tuple[str, int] | None:
    """An entry as the git program takes it: (blob, mode)."""
    return (str(entry.oid), entry.mode) if entry is not None else None


def why(error: Exception) -> str:
    """The reason that a report gives for what stopped a batch."""
    if isinstance(error, HeldError):
        return reasons.held(os.path.basename(error.path), since(error.path))
    if isinstance(error, MovedError):
        return "the branch moved again and again while the commit was made"
    return str(error)
