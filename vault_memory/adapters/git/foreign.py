"""Every step by the git program, for repositories that libgit2 can't open or whose index it can't write."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from vault_memory.adapters.git import blobs, reasons
from vault_memory.adapters.git.asking import index_lines, rows
from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.conversion import blob_by_git
from vault_memory.adapters.git.hooks import Hooks
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.locks import since
from vault_memory.adapters.git.plan import Part, Step, plan
from vault_memory.adapters.git.scratch import Scratch
from vault_memory.adapters.git.settings import Settings
from vault_memory.adapters.git.signed import SlowRoad
from vault_memory.adapters.git.tries import one_by_one
from vault_memory.adapters.git.working import read_working
from vault_memory.model.revision import Author, Intent
from vault_memory.ports import Progress

Blob = tuple[str, int]
"""(blob, mode)."""

Files = dict[str, Blob | None]
"""What some paths hold, `None` for nothing."""

UNMERGED = "unmerged"
"""Stands for the blob of a path with an unresolved conflict: like no other."""

LINK_MODE = 0o120000
_PAUSE = 0.05
_ATTEMPTS = 5
_AT_A_TIME = 100


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
    """A file's content in a commit, `None` where it has none or a link."""
    found = files_in(git, commit, [path])[path]
    if found is None or found[1] == LINK_MODE:
        return None
    return git.get("cat-file", "blob", found[0])


def files_in(git: GitProgram, commit: str | None, paths: Sequence[str]) -> Files:
    """The files at these paths in a commit (`None`: the one before the first)."""
    found: Files = dict.fromkeys(paths)
    if commit is None:
        return found
    for some in chunks(paths):
        for (mode, kind, blob), path in rows(git.get("ls-tree", "-z", commit, "--", *some)):
            if kind == "blob" and path in found:
                found[path] = blob, int(mode, 8)
    return found


def staged_of(git: GitProgram, paths: Sequence[str]) -> Files:
    """The files at these paths in the index; those with an unresolved conflict are like no other."""
    found: Files = dict.fromkeys(paths)
    for some in chunks(paths):
        for (mode, blob, stage), path in rows(git.get("ls-files", "--stage", "-z", "--", *some)):
            if path in found:
                found[path] = (blob, int(mode, 8)) if stage == "0" else (UNMERGED, 0)
    return found


def versions_of(git: GitProgram, files: Files) -> dict[str, str]:
    """The sha256 of each file's bytes, by one command for all."""
    names = {path: entry[0] for path, entry in files.items() if entry is not None}
    versions = {}
    for (path, name), content in zip(names.items(), blobs.stored(git, list(names.values())), strict=True):
        if content is None:
            raise GitRefusedError(f"git does not have the object {name}")
        versions[path] = hashlib.sha256(content).hexdigest()
    return versions


def chunks(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """So many paths at a time as every system takes on a command line."""
    for start in range(0, len(paths), _AT_A_TIME):
        yield paths[start : start + _AT_A_TIME]


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

        paths = list(dict.fromkeys(tracked[intent.number] for intent in intents))
        heads = versions_of(self.git, files_in(self.git, tip, paths))
        working = {path: read_working(self.place.absolute(path)) for path in paths}
        made = plan(intents, tracked, working, heads.get)
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
        paths = [part.path for part in step.parts]
        for attempt in range(_ATTEMPTS):
            tip = tip_of(self.git)
            heads = files_in(self.git, tip, paths)
            entries = {part.path: self._entry(part, heads[part.path]) for part in step.parts}
            if entries == heads and tip is not None:
                return tip
            made = road.make(tip, step, entries)
            undo = self._stage(heads, files_in(self.git, made, paths), digits=len(made))
            moved = self.git.run(
                "update-ref", "-m", f"commit: {step.subject}", ref, made, tip or "0" * len(made)
            )
            if moved.ok:
                road.after()
                return made
            self._put(undo, digits=len(made))
            if attempt == _ATTEMPTS - 1:
                raise GitRefusedError(moved.words())
        raise AssertionError("the last attempt returns or raises")

    def _entry(self, part: Part, head: Blob | None) -> Blob | None:
        if part.working is None:
            return None
        return blob_by_git(self.git, self.scratch, part.path, part.working, head)

    def _stage(self, heads: Files, wanted: Files, *, digits: int) -> Files:
        """Put the entries into the index, but where a person has staged something else.

        Gives what stood before at the paths that were replaced."""
        before = staged_of(self.git, list(heads))
        ours = {path: entry for path, entry in before.items() if entry == heads[path]}
        self._put({path: wanted[path] for path in ours}, digits=digits)
        return ours

    def _put(self, files: Files, *, digits: int) -> None:
        if not files:
            return
        lines = index_lines(files, digits=digits)
        self._patiently("update-index", "-z", "--index-info", stdin=lines)
        for some in chunks([path for path, entry in files.items() if entry is not None]):
            self.git.run("add", "--refresh", "--", *some)

    def _patiently(self, *arguments: str, stdin: bytes) -> None:
        deadline = time.monotonic() + self.wait
        while True:
            outcome = self.git.run(*arguments, stdin=stdin)
            if outcome.ok:
                return
            if b"index.lock" not in outcome.err:
                raise GitRefusedError(outcome.words())
            if time.monotonic() > deadline:
                raise GitRefusedError(reasons.held("index.lock", since(f"{self.place.gitdir}/index.lock")))
            time.sleep(_PAUSE)
