"""The `History` port over a git repository, whichever of its roads a repository needs."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vault_memory.adapters.git import locate, reasons, scratch
from vault_memory.adapters.git.access import Access
from vault_memory.adapters.git.cli import GitRefusedError
from vault_memory.adapters.git.foreign import ForeignError
from vault_memory.adapters.git.locate import NotTrackedError, Place
from vault_memory.adapters.git.recent import RecordFile
from vault_memory.adapters.git.refs import final_ref_and_commit
from vault_memory.adapters.git.state import blocked, head_ref
from vault_memory.errors import GitCommandError, GitError
from vault_memory.model.blame import Origin
from vault_memory.model.facts import RepositoryFacts, Upstream
from vault_memory.model.moments import instant
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import (
    Author,
    CommitReport,
    FileState,
    Intent,
    RepoState,
    Revision,
    ThrownAway,
    Unstaged,
)
from vault_memory.ports import Clock, Progress, no_progress

if TYPE_CHECKING:
    from vault_memory.adapters.git.writing import Call
    from vault_memory.model.branches import Branch

_FULL = (errno.ENOSPC, errno.EDQUOT)


class GitHistory:
    """Commits and history of the vault at `root`, which may be a repository, a part of one, or none.

    `identity` stands in for the person's own; `local` is a folder for a record that may be lost;
    `lock_wait` and `git_timeout` are the longest waits, in seconds, for git's locks and for one
    git command, hook or signature."""

    def __init__(
        self,
        root: Path,
        *,
        clock: Clock,
        local: Path | None = None,
        identity: Author | None = None,
        lock_wait: float = 10.0,
        git_timeout: float = 20.0,
    ) -> None:
        self._access = Access(root, timeout=git_timeout)
        # A thread that commits has its own view of the repository: nobody who asks waits for a hook.
        self._making = Access(root, timeout=git_timeout)
        self._clock = clock
        self._identity = identity
        self._lock_wait = lock_wait
        self._record = RecordFile(local)

    def state(self) -> RepoState:
        """Where HEAD is, and why nothing can be committed now, if so."""
        place = self._access.find()
        if place is None:
            return RepoState(exists=False, branch=None, head=None, blocked=reasons.NO_REPOSITORY)
        if place.workdir is None:
            return RepoState(exists=True, branch=None, head=None, blocked=reasons.BARE)
        try:
            branch, head = self._branch_and_tip(place)
        except GitError as error:
            return RepoState(True, None, None, error.message, place.workdir)
        except OSError as error:
            return RepoState(True, None, None, _unreadable(error), place.workdir)
        return RepoState(True, branch, head, blocked(place), place.workdir)

    def _branch_and_tip(self, place: Place) -> tuple[str | None, str | None]:
        """The ref HEAD points to and its commit. Raises `GitError` and `OSError`."""
        if self._access.is_plain(place) and (ref := head_ref(place)) is not None:
            return final_ref_and_commit(place, ref)
        from vault_memory.adapters.git import lookups

        return self._access.by(place, lookups.branch_and_tip, lookups.branch_and_tip_by_git)

    def misshapen(self) -> str | None:
        """Why no commit can ever be made from this folder, whatever else is put right; `None` where one
        can. Nothing need be there yet."""
        place = self._access.find()
        if place is None:
            return None
        if place.workdir is None:
            return reasons.IN_GITDIR if os.path.basename(place.gitdir) == ".git" else reasons.BARE
        from vault_memory.adapters.git.opened import MisplacedError

        try:
            with self._access.opened(place):
                return None
        except GitError as error:
            return error.message if isinstance(error.__cause__, MisplacedError) else None
        except ForeignError:  # what only git can read is an ordinary shape to git
            return None

    def file_state(self, path: VaultPath) -> FileState:
        """How one file stands; `UNKNOWN` where no repository could tell."""
        return self.file_states([path])[path]

    def file_states(self, paths: Sequence[VaultPath]) -> dict[VaultPath, FileState]:
        """The same of many files."""
        from vault_memory.adapters.git import filestate

        found = dict.fromkeys(paths, FileState.UNKNOWN)
        place = self._access.find()
        if place is None or place.workdir is None:
            return found
        resolver = locate.Resolver(place)
        tracked: dict[VaultPath, str] = {}
        for path in found:
            with contextlib.suppress(NotTrackedError):
                tracked[path] = resolver.tracked(path, removal=False)
        names = list(dict.fromkeys(tracked.values()))
        with contextlib.suppress(GitError):
            states = self._access.by(
                place,
                lambda opened: filestate.file_states(opened, names),
                lambda git: filestate.states_by_git(git, place, names),
            )
            found.update({path: states[name] for path, name in tracked.items()})
        return found

    def ignored(self, path: VaultPath) -> bool:
        """Whether git's rules keep it out; a tracked file is never ignored."""
        from vault_memory.adapters.git import lookups

        place = self._access.find()
        if place is None or place.workdir is None:
            return False
        try:
            tracked = locate.resolve(place, path, removal=False)
            return self._access.by(
                place,
                lambda opened: lookups.ignored(opened, tracked),
                lambda git: lookups.ignored_by_git(git, tracked),
            )
        except (NotTrackedError, GitError):
            return False

    def commit(self, intents: Sequence[Intent], *, progress: Progress = no_progress) -> CommitReport:
        """One commit an intent; whatever git says no to is in the report."""
        from vault_memory.adapters.git import writing

        place = self._access.find()
        reason = reasons.NO_REPOSITORY if place is None else blocked(place)
        if place is not None and reason is None and intents:
            try:
                return writing.commit(self._call(place), intents, progress)
            except GitError as error:
                reason = error.message
            except OSError as error:
                reason = _unreadable(error)
        return CommitReport({}, {intent.number: reason or "" for intent in intents}, {})

    def heal(self) -> None:
        """Take a dead writer's locks and folders away, and finish what it had half landed."""
        place = self._access.find()
        if place is None or place.workdir is None:
            return
        try:
            if not scratch.any_left(place.commondir) and self._record.load().in_order(place):
                return
            from vault_memory.adapters.git import writing

            writing.heal(self._call(place))
        except OSError:
            # A repository that can't be read or written to can't be healed; a commit will say why.
            return

    def thrown_away(self) -> list[ThrownAway]:
        """What this vmem committed while a person's git was at work that did not know of it: what went with a
        rebase that was given up, and whose files a merge took that found no way."""
        place, record = self._access.find(), self._record.load()
        if place is None or place.workdir is None or not record.items:
            return []
        from vault_memory.adapters.git import givenup, rewound

        try:
            with self._access.opened(place) as opened:
                gone = givenup.thrown_away(opened, record)
                return gone or list(rewound.rewound(opened, record, self._clock.now_ns()))
        except (GitError, ForeignError, OSError):  # what only git can read is not looked through for it
            return []

    def busy(self) -> bool:
        """Whether another git is at work here, or was a moment ago."""
        from vault_memory.adapters.git import quiet

        place = self._access.find()
        if place is None or place.workdir is None:
            return False
        try:
            return quiet.busy(place, self._record.load(), self._clock.now_ns())
        except OSError:  # a repository that can't be read: a commit will say why
            return False

    def tidy(self, stop: Callable[[], bool]) -> bool:
        """Pack loose objects, and merge small packs, where there are many of them."""
        from vault_memory.adapters.git import tidy

        place = self._access.find()
        if place is None or place.workdir is None:
            return False
        now_ns = self._clock.now_ns()
        try:
            with self._access.opened(place) as opened:
                git = opened.git if tidy.needed(place, opened.settings, now_ns) else None
        except (GitError, ForeignError, OSError):  # what only git can read, git's own gc looks after
            return False
        if git is None:
            return False
        tidy.pack(git, place, now_ns, stop)
        return True

    def head_bytes(self, path: VaultPath) -> bytes | None:
        """The file's content in HEAD, as git stores it."""
        from vault_memory.adapters.git import lookups

        place = self._access.find()
        if place is None:
            return None
        tracked = place.tracked(path)
        return self._access.by(
            place,
            lambda opened: lookups.head_bytes(opened, tracked),
            lambda git: lookups.head_bytes_by_git(git, tracked),
        )

    def bytes_at(self, commit: str, path: VaultPath) -> bytes | None:
        """The file's content in a commit, as a checkout writes it. Raises `RevisionNotFoundError`."""
        from vault_memory.adapters.git import lookups

        place = self._access.place()
        tracked = place.tracked(path)
        return self._access.by(
            place,
            lambda opened: lookups.bytes_at(opened, commit, tracked),
            lambda git: lookups.bytes_at_by_git(git, commit, tracked),
        )

    def log(
        self,
        path: VaultPath | None,
        *,
        limit: int | None,
        start: str = "HEAD",
        moves: bool = False,
        merges: bool = False,
    ) -> Iterator[Revision]:
        """Commits from `start`, newest first. Raises `GitError`."""
        from vault_memory.adapters.git import read

        place = self._access.place()
        tracked = place.tracked(path) if path is not None else None
        return read.log(place, tracked, limit=limit, start=start, moves=moves, merges=merges)

    def blame(self, path: VaultPath) -> list[Origin]:
        """The lines of a file that HEAD holds, each with its commit. Raises `GitError`."""
        from vault_memory.adapters.git import blame

        place = self._access.place()
        return blame.blame(self._access.program(place, "lines blamed"), place, place.tracked(path))

    def revisions(self, commits: Sequence[str]) -> dict[str, Revision]:
        """These commits, with all notes that they touched. Raises `GitError`."""
        from vault_memory.adapters.git import read

        return read.revisions(self._access.place(), commits)

    def merge(self, commit: str) -> Revision | None:
        """A merge with all that it brought to its first parent. Raises `GitError`."""
        from vault_memory.adapters.git import read

        return read.merge(self._access.place(), commit)

    def uncommitted(self) -> list[tuple[str, FileState]]:
        """The vault's Markdown files that differ from HEAD, in path order. Raises `GitError`."""
        from vault_memory.adapters.git import uncommitted

        return uncommitted.uncommitted(self._access.place())

    def unstaged(self) -> Unstaged:
        """The same, by whether something of them is staged. Raises `GitError`."""
        from vault_memory.adapters.git import uncommitted

        return uncommitted.unstaged(self._access.place())

    def changed_between(self, older: str | None, newer: str) -> list[VaultPath]:
        """The vault's Markdown files that differ between two commits, in path order."""
        from vault_memory.adapters.git import between

        place = self._access.place()
        try:
            return between.changed_between(
                self._access.program(place, "commits compared"), place, older, newer
            )
        except GitRefusedError as error:
            raise GitCommandError("diff-tree", str(error)) from error

    def head_time(self) -> datetime | None:
        """HEAD's commit time, `None` without a commit."""
        from vault_memory.adapters.git import lookups

        place = self._access.find()
        if place is None:
            return None
        seconds = self._access.by(place, lookups.head_seconds, lookups.head_seconds_by_git)
        return instant(seconds) if seconds is not None else None

    def facts(self) -> RepositoryFacts:
        """Git's version, who commits, hooks, signing and locks; without a repository, what holds anyway."""
        from vault_memory.adapters.git import facts

        place = self._access.find()
        if place is None or place.workdir is None:
            return facts.facts_by_git(self._access.program_outside(), None, self._identity)
        return self._access.by(
            place,
            lambda opened: facts.facts(opened, self._identity),
            lambda git: facts.facts_by_git(git, place, self._identity),
        )

    def upstream(self) -> Upstream | None:
        """What the branch follows, counted without a network. Raises `GitError`."""
        from vault_memory.adapters.git import facts

        place = self._access.find()
        if place is None or place.workdir is None:
            return None
        return self._access.by(place, facts.upstream, facts.upstream_by_git)

    def unmerged(self, prefix: str) -> list[Branch]:
        """The branches whose names begin so that hold commits which HEAD does not. Raises `GitError`."""
        from vault_memory.adapters.git import unmerged

        place = self._access.find()
        if place is None or place.workdir is None:
            return []
        return self._access.by(
            place,
            lambda opened: unmerged.unmerged(opened, prefix),
            lambda git: unmerged.unmerged_by_git(git, prefix),
        )

    def close(self) -> None:
        """End what works for it; nothing does in this process."""

    def _call(self, place: Place) -> Call:
        from vault_memory.adapters.git.writing import Call

        now, now_ns = self._clock.now(), self._clock.now_ns()
        return Call(self._making, place, self._record, self._identity, self._lock_wait, now, now_ns)


def _unreadable(error: OSError) -> str:
    if error.errno in _FULL or os.strerror(errno.ENOSPC) in str(error):  # libgit2's errors have no number
        return reasons.DISK_FULL
    return reasons.unreadable(f"{error.filename or 'a file'}: {error.strerror or error}")
