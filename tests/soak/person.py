"""A person with git: commits, stashes, switches branches and rebases, and has to find all as they left it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.patient import PatientGit
from tests.crash.vaults import PERSONS
from tests.soak.known import Known
from tests.soak.stash import Stash

MAIN = "main"
TRIES = 200
"""So often a person tries to merge."""
REST = 3.0
"""Seconds for which a person is content after an act that took files away."""


@dataclass(slots=True)
class Person:
    """One person at the prompt, in the folder of the vault. Their own text files are in `person/`."""

    root: Path
    known: Known
    chance: random.Random
    git: PatientGit = field(init=False)
    stash: Stash = field(init=False)
    number: int = 0
    kept: dict[str, str] = field(default_factory=dict)
    """What each of their files must hold now."""
    branch: str | None = None
    """A branch of theirs that is to be rebased."""
    due: list[str] = field(default_factory=list)
    """What they have not done yet."""

    def __post_init__(self) -> None:
        self.git = PatientGit(self.root, patience=40.0)
        self.stash = Stash(self.git, self.known, self.commit_all)
        self.due = [*ACTS, "branch off, rebase"]
        self.chance.shuffle(self.due)

    def once(self) -> None:
        """One thing that people do; each of them once before any comes by its weight."""
        weights = [weight for weight, _ in ACTS.values()]
        act = self.due.pop() if self.due else self.chance.choices(list(ACTS), weights)[0]
        self.known.note(f"person: {act}")
        before = len(self.known.away)
        ACTS[act][1](self)
        if len(self.known.away) > before:
            # What others answer is judged in between.
            time.sleep(REST)
        for name, text in self.kept.items():
            found = (self.root / name).read_text() if (self.root / name).exists() else None
            if found != text:
                self.known.blame(f"{name} is not as the person left it after {act}: {found!r}")
                self.kept[name] = found or ""

    def commit_own(self) -> None:
        """Edit a file, stage it, edit on, and commit what was staged."""
        name = self._write(f"note{self.chance.randrange(6)}.txt")
        staged = self.kept[name]
        self.git("add", name)
        if self.chance.random() < 0.3:
            with (self.root / name).open("a") as more:
                more.write("not staged yet\n")
            self.kept[name] += "not staged yet\n"
        self.git("commit", "-qm", f"edition {self.number}")
        found = self.git("show", f"HEAD:{name}")
        if found != staged:
            self.known.blame(f"{name} is not in HEAD as it was staged: {found!r}, not {staged!r}")

    def commit_all(self) -> None:
        """Take everything that is there, as `git add -A` does."""
        self._write(f"note{self.chance.randrange(6)}.txt")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"everything {self.number}")

    def look(self) -> None:
        """Status, a diff, the log; a refresh of the index goes with the first."""
        for words in (["status", "--short"], ["diff", "--stat"], ["log", "-3", "--stat"], ["branch", "-v"]):
            self.git(*words)

    def stash_own(self) -> None:
        """Put one's own changes away, and take them back."""
        name = self._write(f"note{self.chance.randrange(6)}.txt", known_to_git=True)
        with self.known.at_the_stash():
            before = self.stash.put_away("--", name)
            self._pause(0.3)
            self.stash.take_back(before)

    def stash_all(self) -> None:
        """Put everything away that is not committed, memories that wait among it, and take it back."""
        self._write(f"note{self.chance.randrange(6)}.txt", known_to_git=True)
        with self.known.at_the_stash(), self.known.files_away():
            before = self.stash.put_away()
            # Agents have gone on meanwhile; now they stand still.
            self.known.hold_still()
            self._pause(0.3)
            self.stash.take_back(before)

    def visit(self) -> None:
        """Work on a branch for a while, and merge it."""
        name = f"visit{self.number}"
        with self.known.files_away():
            self.known.hold_still()
            self._tidy()
            self.git("switch", "-qc", name)
            self._commit_file(f"{name}.txt")
            self._pause(0.5)
            self._to(MAIN)
            self._pause(0.3)
            self._merge(name)
            self.git("branch", "-qD", name)

    def branch_off(self) -> None:
        """Begin a branch, go back to main, and bring it up to main by a rebase the next time."""
        if self.branch is not None:
            self.rebase()
            return
        self.branch = f"own{self.number}"
        with self.known.files_away():
            self.known.hold_still()
            self._tidy()
            self.git("switch", "-qc", self.branch)
            for one in range(2):
                self._commit_file(f"{self.branch}-{one}.txt")
            self._to(MAIN)
            # What was committed beside them while the branch was there belongs on main as well.
            self._merge(self.branch)

    def rebase(self) -> None:
        """Rebase the branch that was begun before, and merge it."""
        assert self.branch is not None
        with self.known.files_away():
            self.known.hold_still()
            self._tidy()
            self._to(self.branch)
            self._commit_file(f"{self.branch}-late.txt")
            self._pause(0.2)
            self.git("rebase", "-q", "--autostash", MAIN, give_up=("rebase", "--abort"))
            self._pause(0.2)
            self._to(MAIN)
            self._merge(self.branch)
            self.git("branch", "-qD", self.branch)
        self.branch = None

    def collect_garbage(self) -> None:
        """Pack the repository."""
        self.git("gc", "-q")

    def _tidy(self) -> None:
        """Nothing uncommitted, as before every switch: what an editor has saved goes in as well."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"before {self.number}")

    def _merge(self, branch: str) -> None:
        """Merge; one that stopped at a lock in its middle, so that git can't even give it up, is made a
        commit of what it has got to, and merged again."""
        said: str | None = "nobody tried"
        for _ in range(TRIES):
            _, said = self.git.tried(
                "merge", "-q", "--no-edit", branch, give_up=("merge", "--abort"), once=True
            )
            if said is None:
                return
            if (self.root / ".git" / "MERGE_HEAD").exists():
                self.known.note("person: a merge that stopped in its middle")
                self.git("merge", "--quit")
                self.commit_all()
            time.sleep(0.05)
        self.git.faults.append(f"git merge {branch} does not work: {said}")

    def _to(self, branch: str) -> None:
        self.git("switch", "-q", branch)

    def _commit_file(self, name: str) -> None:
        path = self._write(name)
        self.git("add", path)
        self.git("commit", "-qm", f"{name} {self.number}")

    def _write(self, name: str, *, known_to_git: bool = False) -> str:
        path = f"{PERSONS}/{name}"
        if known_to_git and path not in self.kept:
            path = next(iter(self.kept), f"{PERSONS}/half.txt")
        self.number += 1
        text = f"edition {self.number}\n" * 20
        (self.root / path).write_text(text)
        self.kept[path] = text
        return path

    def _pause(self, longest: float) -> None:
        time.sleep(self.chance.uniform(0.0, longest))


ACTS: dict[str, tuple[int, Callable[[Person], None]]] = {
    "commit their own": (55, Person.commit_own),
    "look": (20, Person.look),
    "commit all": (5, Person.commit_all),
    "stash their own": (8, Person.stash_own),
    "stash all": (2, Person.stash_all),
    "visit a branch": (2, Person.visit),
    "branch off, rebase": (3, Person.branch_off),
    "pack": (1, Person.collect_garbage),
}
"""What a person does, with how often."""
