"""What is known of every memory of a soak: what was acknowledged and when, and what is in doubt."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

GRACE = 10.0
"""Seconds after which every answer must know what an editor saved."""
AFTER_GIT = 2.0
"""Seconds after which every answer must know again what git had taken away; what went with a rebase that was
given up comes back once git rests, and that on a busy machine."""

PERSON = "person"
"""Who saved a version that no agent wrote."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a memory that somebody was told is safe (`sha` `None`: removed), from `at` on.

    `token` is a word of this version alone; `early` tells that it was told before its commit."""

    sha: str | None
    token: str
    by: str
    at: float
    commit: str | None = None

    @property
    def early(self) -> bool:
        """Whether it was told before it was in git."""
        return self.commit is None and self.by != PERSON


@dataclass(slots=True)
class Memory:
    """One memory. Whoever changes it takes it first, so that its versions come one after the other."""

    path: str
    agent: str | None
    versions: list[Version]
    taken: bool = False
    by_editor: bool = False
    """Whether an editor has taken it."""
    doubtful: bool = False
    """Its last change was cut off, so nobody takes it again."""
    may_be: set[str | None] = field(default_factory=set)
    """Tokens that a change that was cut off may have left (`None`: a removal)."""
    turn: int = 0
    brief: bool = False
    """It has a lifetime, so that gc takes it one day."""
    decided: bool = False
    """The person chose one of its versions where git had two."""
    names: set[str] = field(default_factory=set)
    """Its paths before it was moved."""

    @property
    def last(self) -> Version:
        """What it is to be now."""
        return self.versions[-1]


@dataclass(frozen=True, slots=True)
class Question:
    """One question after a memory's own word, and how things stood when it was asked."""

    memory: Memory
    turn: int
    at: float


@dataclass(slots=True)
class Known:
    """What all who work on the vault have been told. Everyone may ask and tell at any time."""

    clock: Callable[[], float] = time.monotonic
    memories: dict[str, Memory] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    """Tokens of new memories of which nobody heard again."""
    away: list[tuple[float, float]] = field(default_factory=list)
    """When the person's git had taken files away, to bring them back."""
    stashes: list[tuple[float, float]] = field(default_factory=list)
    """When the person's git made a stash and took it back, of whatever."""
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    misses: list[tuple[Memory, str]] = field(default_factory=list)
    """Answers that were wrong about a memory, and how."""
    told: Callable[[str], object] = lambda _: None
    """Hears of everything, in order, for whoever has to find out what happened."""
    _away_since: float | None = None
    _still: bool = False
    _changing: threading.Condition = field(default_factory=threading.Condition)

    def take(
        self, chance: random.Random, fits: Callable[[Memory], bool], *, editor: bool = False
    ) -> Memory | None:
        """A memory to change, that nobody else changes meanwhile; `None` where there is none now.

        An editor takes none while git is about to take files away: what it saved just then git itself
        would lose."""
        with self._changing:
            if self._still or (editor and self._away_since is not None):
                return None
            free = [
                one
                for one in self.memories.values()
                if not one.taken and not one.doubtful and one.last.sha is not None and fits(one)
            ]
            if not free:
                return None
            memory = chance.choice(free)
            memory.taken = True
            memory.by_editor = editor
            memory.turn += 1
            return memory

    def remembered(
        self, path: str, agent: str | None, version: Version, *, brief: bool = False, known: bool = False
    ) -> None:
        """A new memory is safe. `known` is the product's word that the same text was there before, as it is
        where whoever was asked first was killed over it."""
        with self._changing:
            self.counts["remember"] += 1
            self.counts["remember, asked twice"] += known
            if path in self.memories:
                self.faults.append(f"{path} was told to be new, and again: {version.token}")
            self.memories[path] = Memory(path, agent, [version], brief=brief)
            self._tell(f"{path} new: {version}")

    def changed(self, memory: Memory, version: Version, *, path: str | None = None) -> None:
        """A memory that was taken has another version, maybe under another name, and is free again."""
        with self._changing:
            what = "forget" if version.sha is None else "save" if version.by == PERSON else "edit"
            self.counts[what] += 1
            memory.versions.append(version)
            self._tell(f"{memory.path} now: {version}, {path or 'not moved'}")
            if path is not None:
                del self.memories[memory.path]
                memory.names.add(memory.path)
                memory.path = path
                self.memories[path] = memory
            self._freed(memory)

    def freed(self, memory: Memory, why: str) -> None:
        """A memory that was taken stays as it was."""
        with self._changing:
            self.counts[f"refused: {why}"] += 1
            self._freed(memory)

    def let_go(self, memory: Memory) -> None:
        """A memory that was taken was not touched."""
        with self._changing:
            self._freed(memory)

    def taken_by_gc(self, path: str) -> None:
        """gc has removed a memory that nobody gave it: one of a killed write, or it took too much."""
        with self._changing:
            memory = self.memories.get(path)
            if memory is not None and not (memory.brief and memory.doubtful):
                self.faults.append(f"gc took {path}, which has not expired")
            elif memory is not None:
                memory.may_be.add(None)

    def cut(self, memory: Memory, token: str | None) -> None:
        """Whoever changed it was killed: it may have that token now, or none, or be as it was."""
        with self._changing:
            self.counts["killed in the middle"] += 1
            memory.may_be.add(token)
            memory.doubtful = True
            self._tell(f"{memory.path} cut: {token}")
            self._freed(memory)

    def cut_new(self, token: str) -> None:
        """Whoever wrote a new memory was killed: it is there or not."""
        with self._changing:
            self.counts["killed in the middle"] += 1
            self.unsure.add(token)
            self._tell(f"cut: new {token}")

    def absent(self, memory: Memory) -> None:
        """A memory that was taken is not found, which only git may be the cause of."""
        with self._changing:
            if not self.is_away(self.clock() - AFTER_GIT, self.clock()):
                self.faults.append(f"{memory.path} was acknowledged and is not found")
            self._freed(memory)

    def _freed(self, memory: Memory) -> None:
        memory.taken = False
        memory.turn += 1
        self._changing.notify_all()

    @contextmanager
    def files_away(self) -> Iterator[None]:
        """While git takes files away and brings them back. Agents go on meanwhile, until `hold_still`."""
        with self._changing:
            self._away_since = self.clock()
            self._tell("files away")
            self._wait_for_nobody(lambda one: one.by_editor)
        try:
            yield
        finally:
            with self._changing:
                self.away.append((self._away_since, self.clock()))
                self._away_since, self._still = None, False
                self._tell("files back")

    @contextmanager
    def at_the_stash(self) -> Iterator[None]:
        """While git makes a stash and takes it back.

        `git stash` reads its index and only then HEAD. A commit that comes in between looks to it like a
        change of the person's that takes the commit back, which it puts away, and brings back as theirs."""
        begun = self.clock()
        try:
            yield
        finally:
            with self._changing:
                self.stashes.append((begun, self.clock()))

    def hold_still(self) -> None:
        """From here on to the end of `files_away` nobody changes a memory; whoever does ends it first."""
        with self._changing:
            self._still = True
            self._wait_for_nobody(lambda _: True)

    def _wait_for_nobody(self, counts: Callable[[Memory], bool]) -> None:
        """Wait until none of those that count is taken."""
        self._changing.wait_for(
            lambda: not any(one.taken and counts(one) for one in self.memories.values()), 60
        )

    def decided(self, path: str) -> None:
        """The person has decided a conflict about a file for one of its versions."""
        with self._changing:
            memory = self.memories.get(path)
            if memory is not None:
                memory.doubtful = memory.decided = True
                memory.turn += 1
                self._tell(f"{path} decided by the person")

    def was_at_the_stash(self, since: float, until: float) -> bool:
        """Whether git made a stash, or took one back, at any time of that span."""
        return any(begun <= until and ended >= since for begun, ended in self.stashes)

    def is_away(self, since: float, until: float) -> bool:
        """Whether files were away at any time of that span."""
        if self._away_since is not None and self._away_since <= until:
            return True
        return any(begun <= until and ended >= since for begun, ended in self.away)

    def question(self, chance: random.Random, *, gone: bool = False) -> Question | None:
        """A memory to ask for (`gone`: one that was removed), that every answer must be right about."""
        now = self.clock()
        with self._changing:
            fit = [
                one
                for one in self.memories.values()
                if not one.taken and not one.doubtful and (one.last.sha is None) == gone
                if one.last.by != PERSON or one.last.at < now - GRACE
            ]
            if not fit:
                return None
            memory = chance.choice(fit)
            return Question(memory, memory.turn, now)

    def judge(self, asked: Question, found: set[str], who: str) -> None:
        """Note what is wrong with the paths that an answer to the question has."""
        with self._changing:
            memory, now = asked.memory, self.clock()
            if memory.turn != asked.turn or self.is_away(asked.at - AFTER_GIT, now):
                self.counts["answers that nobody can judge"] += 1
                return
            self.counts["answers judged"] += 1
            gone = memory.last.sha is None
            if gone == (memory.path in found):
                age = asked.at - memory.last.at
                miss = (
                    f"{memory.path} ({memory.last.by}, {age:.3f} s before) was"
                    f" {'found' if gone else 'not found'} by {who}; its word is {memory.last.token}"
                )
                self._tell(miss)
                self.misses.append((memory, miss))

    def note(self, what: str) -> None:
        """Count something."""
        with self._changing:
            self.counts[what] += 1
            self._tell(what)

    def blame(self, fault: str) -> None:
        """Something is wrong."""
        with self._changing:
            self._tell(f"FAULT: {fault}")
            self.faults.append(fault)

    def _tell(self, what: str) -> None:
        self.told(f"{self.clock():.3f} {what}")
