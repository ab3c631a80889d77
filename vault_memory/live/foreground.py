"""Following a vault for somebody who looks on, as `vmem watch` does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from vault_memory import compose
from vault_memory.config.settings import Settings
from vault_memory.errors import StorageError
from vault_memory.live.alone import is_taken
from vault_memory.live.edits import Edits
from vault_memory.live.following import Following
from vault_memory.model.change import RefreshReport
from vault_memory.model.edits import Kept
from vault_memory.model.namespace import Scope
from vault_memory.ops.embed import NOT_NOW
from vault_memory.ops.refresh import refresh
from vault_memory.ports import Clock, Ids, Progress, no_progress

PATIENCE = 2.0
"""Seconds that the first look waits for another writer."""


@dataclass(frozen=True, slots=True)
class Foreground:
    """A vault that is followed. `commits` is whether a person's edits are committed after a pause."""

    opened: compose.Opened
    following: Following
    first: RefreshReport
    """What had changed before."""
    commits: bool

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self.opened.held.files.root

    @property
    def settings(self) -> Settings:
        """As they were when it was opened."""
        return self.opened.settings

    @property
    def pause(self) -> float:
        """Seconds after a person's last edit until it is committed."""
        return float(self.settings["commit_edits_seconds"])

    def scope(self, agent: str | None) -> Scope:
        """Who asks: what they may read."""
        return self.opened.scope(agent)

    def memories(self, scope: Scope) -> int:
        """How many the scope may read."""
        return self.opened.ports.index.count(scope)

    def is_watched_by_a_resident(self) -> bool:
        """Whether a resident keeps this vault open, too."""
        with suppress(StorageError):  # where no lock can be made no resident is either
            return is_taken(self.root)
        return False


@contextmanager
def followed(
    path: Path | None,
    *,
    commit: bool,
    pause: float | None,
    told: Callable[[RefreshReport], None],
    kept: Callable[[Kept], None],
    clock: Clock | None = None,
    ids: Ids | None = None,
    progress: Progress = no_progress,
) -> Iterator[Foreground]:
    """Follow the vault that `path` lies in until the block is left. `told` hears of each batch of changes,
    `kept` of each commit of a person's edits; both are called from other threads.

    Raises what opening and reading a vault raises.
    """
    flags = {} if pause is None else {"commit_edits_seconds": pause}
    with ExitStack() as stack:
        opened = compose.open_vault(compose.locate(path), flags=flags, clock=clock, ids=ids)
        stack.callback(opened.close)
        first = refresh(opened.ports, opened.settings.zone, wait=PATIENCE, pace=NOT_NOW, progress=progress)
        commits = commit or bool(opened.settings["commit_edits"])
        edits = Edits(opened, kept, settle=lambda: following.catch_up(PATIENCE))
        following = Following(opened, compose.watch(opened), told=told, stirred=edits.stir)
        stack.callback(following.close)
        stack.callback(edits.close)  # while its last look can still be followed
        if commits:
            edits.start()
        following.start()
        yield Foreground(opened, following, first, commits)
