"""Git, the commit under way in it, and the journal of what is not in it yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from vault_memory.ports.world import Progress, no_progress

if TYPE_CHECKING:
    from vault_memory.model.blame import Origin
    from vault_memory.model.branches import Branch
    from vault_memory.model.comparison import Versions
    from vault_memory.model.facts import RepositoryFacts, Upstream
    from vault_memory.model.namespace import VaultPath
    from vault_memory.model.revision import (
        CommitReport,
        FileState,
        Intent,
        Operation,
        RepoState,
        Revision,
        ThrownAway,
        Unstaged,
    )
    from vault_memory.model.underway import StagedFile, UnderWay


class Journal(Protocol):
    """Intents: what has been or is about to be written and is not in git yet. Survives all."""

    def open(
        self, operations: Sequence[Operation], *, branch: str | None, at: datetime
    ) -> tuple[Intent, ...]:
        """Write the intents durably (fsync) and number them, in order."""

    def pending(self) -> tuple[Intent, ...]:
        """The open ones, oldest first."""

    def close(self, numbers: Iterable[int]) -> None:
        """They are in git, or will never be."""

    def keep(self, contents: Mapping[int, bytes | None]) -> None:
        """Store durably the bytes that these open intents leave in their files (none for a removal);
        `None` drops what was kept."""

    def tell(self, reasons: Mapping[int, str]) -> None:
        """Note why these open intents wait; `pending` gives it back as their `reason`."""

    def kept(self, number: int) -> bytes | None:
        """The bytes kept with an open intent, `None` where none were."""


class History(Protocol):
    """Git: the commits that memories are in. Only `commit`, `heal` and `tidy` write.

    `commit` and `heal` are for one thread at a time, all others may be asked beside them."""

    def state(self) -> RepoState:
        """Cheap: no walk over files."""

    def file_state(self, path: VaultPath) -> FileState:
        """How one file stands between HEAD, index and working tree."""

    def file_states(self, paths: Sequence[VaultPath]) -> dict[VaultPath, FileState]:
        """How each of these files stands."""

    def ignored(self, path: VaultPath) -> bool:
        """Whether git's ignore rules keep an untracked file at this path out."""

    def commit(self, intents: Sequence[Intent], *, progress: Progress = no_progress) -> CommitReport:
        """One commit an intent, in order, on the branch HEAD names, holding that one file alone;
        neighbours with the same `batch` share one commit, whose message is theirs.

        Takes an intent only if the working file's bytes match it (or match a later intent of the
        same path in the batch, or HEAD already holds it). Never raises for what git says no to:
        the reason is in the report. Nothing a person staged, half-staged or left is touched."""

    def heal(self) -> None:
        """Finish or take back what a kill left inside `.git`: own stale locks, the index behind HEAD."""

    def thrown_away(self) -> list[ThrownAway]:
        """What this vmem committed while a person's git was at work that did not know of it, in the order of
        its commits: what went from the branch with a rebase that was given up, and whose files a merge took
        away that found no way. Cheap where no git but ours was at work."""

    def busy(self) -> bool:
        """Whether another git is at work here, or was a moment ago. Cheap: looks at a few files."""

    def tidy(self, stop: Callable[[], bool]) -> bool:
        """Where many commits left many small objects, pack them; whether there was anything to do.

        Nothing is thrown away, and no commit waits for it. Ends early once `stop()` says so."""

    def head_bytes(self, path: VaultPath) -> bytes | None:
        """The file's content in HEAD."""

    def bytes_at(self, commit: str, path: VaultPath) -> bytes | None:
        """The file's content in that commit, as a checkout writes it. Raises `RevisionNotFoundError`."""

    def log(
        self,
        path: VaultPath | None,
        *,
        limit: int | None,
        start: str = "HEAD",
        moves: bool = False,
        merges: bool = False,
    ) -> Iterator[Revision]:
        """Commits reachable from `start` (`HEAD`, a hash in full, or `OLD..NEW`, which leaves out all that
        led to the first), newest first: those that touch `path` (renames followed), or all that touch
        Markdown files of the vault; of these, `moves` finds what they moved, which takes longer. With
        `merges` those are told too: of all files with what they brought to their first parent, of one where
        they left it as neither parent had it. Raises `GitError` where git can't."""

    def blame(self, path: VaultPath) -> list[Origin]:
        """The lines of a working file that HEAD holds too, each with the commit that it is of; renames are
        followed. Raises `GitError`."""

    def revisions(self, commits: Sequence[str]) -> dict[str, Revision]:
        """These commits by full hashes, with all Markdown files that they touched. Raises `GitError`."""

    def merge(self, commit: str) -> Revision | None:
        """A merge with all that it brought to its first parent, moves included; `None` for every other
        commit. Raises `GitError`."""

    def uncommitted(self) -> list[tuple[str, FileState]]:
        """Markdown files of the vault that differ from HEAD (untracked ones too), in path order.
        Raises `GitError` where git can't tell."""

    def unstaged(self) -> Unstaged:
        """The same, by whether something of them is staged. Raises `GitError` where git can't tell."""

    def changed_between(self, older: str | None, newer: str) -> list[VaultPath]:
        """Markdown files that differ, in path order; `None` is before the first commit."""

    def head_time(self) -> datetime | None:
        """HEAD's commit time, `None` without a commit."""

    def facts(self) -> RepositoryFacts:
        """Git's version, who commits, hooks, signing and locks. Raises `GitError`."""

    def upstream(self) -> Upstream | None:
        """What the branch follows, `None` for nothing; asks no network. Raises `GitError`."""

    def unmerged(self, prefix: str) -> list[Branch]:
        """The branches whose names begin so, here and as a remote had them when it was asked last, that hold
        commits which HEAD does not, by name. Cheap. Raises `GitError`."""


class Staging(Protocol):
    """The commit that git is about to make: what a hook of it is asked about. Raises `GitError`."""

    def under_way(self) -> UnderWay:
        """What kind of commit it is. Raises `UsageError` for one in another repository."""

    def files(self) -> Iterator[StagedFile]:
        """The vault's Markdown files as it holds them, in path order."""

    def changed(self, since: str | None) -> Mapping[VaultPath, Versions]:
        """Each memory that it has in another version than the commit `since` (`None` for before the first
        one), with both as a checkout writes them; what a merge left unresolved is left out. Raises
        `RevisionNotFoundError`."""

    def kept(self, files: Sequence[StagedFile], *, amends: bool) -> frozenset[VaultPath]:
        """Those whose very bytes are in the commit that it will follow."""

    def holds(self, file: StagedFile, content: bytes) -> bool:
        """Whether these bytes of the working tree are what is staged."""

    def take_out(self, files: Sequence[StagedFile]) -> None:
        """Take these files (at least one) out of it, all or none; the working tree stays."""

    def put_back(self, files: Sequence[StagedFile]) -> None:
        """Put these files (at least one) into it as they were."""
