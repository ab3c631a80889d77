"""Every step by the git program, for repositories that libgit2 can't open or whose index it can't write."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.conversion import blob_by_git
from vault_memory.adapters.git.hooks import Hooks
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.locks import since
from vault_memory.adapters.git.plan import Step, plan
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.signed import SlowRoad
from vault_memory.adapters.git.tries import one_by_one
from vault_memory.adapters.git.working import read_working
from vault_memory.model.revision import Author, Intent
from vault_memory.ports import Progress

Blob = tuple[str, int]
"""(blob, mode)."""

_PAUSE = 0.05
_ATTEMPTS = 5


class ForeignError(Exception):
    """libgit2 can't read something here; git may. The message says what."""


class GitSettings(Settings):
    """The configuration as the git program reads it."""

    def __init__(self, git: GitProgram) -> None:
        self._git = git

    def _values(self, key: str) -> list[str | None]:
        found = self._git.run("config", "--null", "--get-all", key).out.split(b"\0")[:-1]
        return [value.decode("utf-8", "surrogateescape") for value in found]


def tip_of(git: GitProgram) -> str | None:
    """HEAD's commit, `None` before the first one."""
    found = git.run("rev-parse", "--quiet", "--verify", "HEAD^{commit}")
    return found.out.decode().strip() if found.ok else None


def branch_of(git: GitProgram) -> str | None:
    """The ref HEAD points to, `None` when it is detached."""
    found = git.run("symbolic-ref", "--quiet", "HEAD")
    return found.out.decode("utf-8", "surrogateescape").strip() if found.ok else None


def bytes_of(git: GitProgram, commit: str, path: str) -> bytes | None:
    """A file's content in a commit, `None` where it has none."""
    listed = git.get("ls-tree", "-z", commit, "--", path)
    if not listed or listed.split()[1] != b"blob":
        return None
    return git.get("cat-file", "blob", listed.split()[2].decode())


@dataclass(slots=True)
class ForeignBatch:
    """One run, with the same report as the fast road's."""

    git: GitProgram
    place: Place
    scratch: Scratch
    settings: Settings
    person: Author
    now: datetime
    wait: float
    progress: Progress
    commits: dict[int, str] = field(default_factory=dict)
    waiting: dict[int, str] = field(default_factory=dict)
    unversioned: dict[int, str] = field(default_factory=dict)

    def commit(self, intents: Sequence[Intent], tracked: dict[int, str]) -> None:
        """Take what can be taken, one by one."""
        try:
            steps = self._plan(intents, tracked)
        except GitRefusedError as error:
            self.waiting.update({intent.number: str(error) for intent in intents})
            return
        hooks_path = self.settings.folder("core.hooksPath", relative_to=self.git.workdir)
        hooks = Hooks(self.git, self.place, hooks_path)
        signs = self.settings.flag("commit.gpgSign") is True
        road = SlowRoad(self.git, hooks, self.scratch, self.person, self.now, signs)

        def attempt(step: Step) -> None:
            self.commits.update(dict.fromkeys(step.closes, self._one(road, step)))

        one_by_one(steps, attempt, self.waiting, self.progress)

    def _plan(self, intents: Sequence[Intent], tracked: dict[int, str]) -> list[Step]:
        tip = tip_of(self.git)

        def head_version(path: str) -> str | None:
            content = bytes_of(self.git, tip, path) if tip is not None else None
            return hashlib.sha256(content).hexdigest() if content is not None else None

        paths = {tracked[intent.number] for intent in intents}
        working = {path: read_working(self.place.absolute(path)) for path in paths}
        made = plan(intents, tracked, working, head_version)
        self.waiting.update(made.waiting)
        for numbers in made.done.values():
            if tip is None:
                self.unversioned.update(dict.fromkeys(numbers, reasons.NOTHING_TO_REMOVE))
            else:
                self.commits.update(dict.fromkeys(numbers, tip))
        return made.steps

    def _one(self, road: SlowRoad, step: Step) -> str:
        """The commit that holds the step. Others may move the branch meanwhile; then it is made again."""
        ref = branch_of(self.git)
        if ref is None:
            raise GitRefusedError(reasons.DETACHED)
        for attempt in range(_ATTEMPTS):
            tip = tip_of(self.git)
            head = self._listed("ls-tree", "-z", tip, "--", step.path) if tip is not None else None
            entry = None
            if step.working is not None:
                entry = blob_by_git(self.git, self.scratch, step.path, step.working, head)
            if entry == head and tip is not None:
                return tip
            made = road.make(tip, step, entry)
            after = self._listed("ls-tree", "-z", made, "--", step.path)
            undo = self._stage(step.path, head, after)
            moved = self.git.run(
                "update-ref", "-m", f"commit: {step.subject}", ref, made, tip or "0" * len(made)
            )
            if moved.ok:
                road.after()
                return made
            self._put(step.path, *undo)
            if attempt == _ATTEMPTS - 1:
                raise GitRefusedError(moved.words())
        raise AssertionError("the last attempt returns or raises")

    def _stage(self, path: str, head: Blob | None, wanted: Blob | None) -> tuple[Blob | None, bool]:
        """Put the entry into the index, unless a person has staged something else there.

        Gives what stood there before, and whether it was replaced."""
        before = self._listed("ls-files", "--stage", "-z", "--", path)
        ours = before == head
        self._put(path, wanted, ours)
        return before, ours

    def _put(self, path: str, wanted: Blob | None, ours: bool) -> None:
        if not ours:
            return
        if wanted is None:
            self._patiently("update-index", "--force-remove", "--", path)
            return
        info = f"{wanted[1]:o},{wanted[0]},{path}"
        self._patiently("update-index", "--add", "--cacheinfo", info)
        self.git.run("add", "--refresh", "--", path)

    def _patiently(self, *arguments: str) -> None:
        deadline = time.monotonic() + self.wait
        while True:
            outcome = self.git.run(*arguments)
            if outcome.ok:
                return
            if b"index.lock" not in outcome.err:
                raise GitRefusedError(outcome.words())
            if time.monotonic() > deadline:
                raise GitRefusedError(reasons.held("index.lock", since(f"{self.place.gitdir}/index.lock")))
            time.sleep(_PAUSE)

    def _listed(self, *arguments: str) -> Blob | None:
        """The one file that `ls-tree` or `ls-files --stage` names."""
        line = self.git.get(*arguments).partition(b"\0")[0]
        if not line:
            return None
        parts = line.partition(b"\t")[0].split()
        return (parts[2] if arguments[0] == "ls-tree" else parts[1]).decode(), int(parts[0], 8)
