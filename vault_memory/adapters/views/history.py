"""The `History` port as of one commit: what led to it, and nothing that can be committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.errors import GitError
from vault_memory.model.revision import CommitReport, FileState, RepoState, Unstaged

if TYPE_CHECKING:
    from vault_memory.model.blame import Origin
    from vault_memory.model.branches import Branch, Point
    from vault_memory.model.facts import RepositoryFacts, Upstream
    from vault_memory.model.namespace import VaultPath
    from vault_memory.model.revision import Intent, Revision, ThrownAway
    from vault_memory.ports import History


@dataclass(frozen=True, slots=True)
class HistoryAsOf:
    """The repository's own history up to a commit. `shown` is what is looked at."""

    own: History
    point: Point
    shown: str

    def state(self) -> RepoState:
        """As on a commit that no branch names."""
        own = self.own.state()
        return RepoState(own.exists, None, self.point.commit, None, own.workdir)

    def file_state(self, _: VaultPath) -> FileState:
        """As the commit has it."""
        return FileState.CLEAN

    def file_states(self, paths: Sequence[VaultPath]) -> dict[VaultPath, FileState]:
        """As the commit has them."""
        return dict.fromkeys(paths, FileState.CLEAN)

    def ignored(self, _: VaultPath) -> bool:
        """What a commit holds is not ignored."""
        return False

    def commit(self, intents: Sequence[Intent], **_: object) -> CommitReport:
        """None is made."""
        return CommitReport({}, {intent.number: f"it is {self.shown}" for intent in intents}, {})

    def heal(self) -> None:
        """There is nothing to heal."""

    def thrown_away(self) -> list[ThrownAway]:
        """Nothing of it can go."""
        return []

    def busy(self) -> bool:
        """A commit changes no more."""
        return False

    def tidy(self, _: Callable[[], bool]) -> bool:
        """There is nothing to tidy."""
        return False

    def head_bytes(self, path: VaultPath) -> bytes | None:
        """The file's content in the commit."""
        return self.own.bytes_at(self.point.commit, path)

    def bytes_at(self, commit: str, path: VaultPath) -> bytes | None:
        """The file's content in that commit."""
        return self.own.bytes_at(commit, path)

    def log(
        self,
        path: VaultPath | None,
        *,
        limit: int | None,
        start: str = "HEAD",
        moves: bool = False,
        merges: bool = False,
    ) -> Iterator[Revision]:
        """Commits that led here, newest first."""
        start = self.point.commit if start == "HEAD" else start
        return self.own.log(path, limit=limit, start=start, moves=moves, merges=merges)

    def blame(self, _: VaultPath) -> list[Origin]:
        """Lines are told of the files as they lie there now alone."""
        raise GitError(f"it is {self.shown}", hint="vmem blame tells where the lines of now are from")

    def revisions(self, commits: Sequence[str]) -> dict[str, Revision]:
        """These commits, without their paths."""
        return self.own.revisions(commits)

    def merge(self, commit: str) -> Revision | None:
        """A merge with all that it brought in."""
        return self.own.merge(commit)

    def uncommitted(self) -> list[tuple[str, FileState]]:
        """Nothing."""
        return []

    def unstaged(self) -> Unstaged:
        """Nothing."""
        return Unstaged((), ())

    def changed_between(self, older: str | None, newer: str) -> list[VaultPath]:
        """Markdown files that differ."""
        names = [self.point.commit if name == "HEAD" else name for name in (older, newer)]
        return self.own.changed_between(names[0], names[1] or newer)

    def head_time(self) -> datetime | None:
        """The commit's time."""
        return self.point.when

    def facts(self) -> RepositoryFacts:
        """The repository's."""
        return self.own.facts()

    def upstream(self) -> Upstream | None:
        """A commit follows nothing."""
        return None

    def unmerged(self, _: str) -> list[Branch]:
        """Nothing waits to come into a commit."""
        return []
