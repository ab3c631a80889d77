"""`vault.remote`: the exchange of the vault with other clones, by way of a remote of git's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from vault_memory import compose
from vault_memory.compose import Opened
from vault_memory.errors import SidecarError
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.synced import Synced, Way
from vault_memory.ops.sync import sync
from vault_memory.ports import Progress, no_progress

__all__ = ["RemoteFacet", "Synced", "Way"]


@dataclass(frozen=True, slots=True)
class RemoteFacet:
    """What other clones have comes here, and what is here goes there."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def names(self) -> tuple[str, ...]:
        """The remotes that the repository knows. Raises `GitError`."""
        return tuple(self.opened.ports.remote.names())

    def sync(
        self, scope: Scope, *, remote: str | None = None, way: Way = Way.MERGE, push: bool = True
    ) -> Synced:
        """Commit what waits, fetch, merge memories by key, bring the checkout forward, push.

        `remote` is by default what the branch follows, else the only one there is. Nothing that the person
        has changed and not committed is touched or sent, and nothing is ever pushed by force. Where it can't
        be whole (a conflict, a remote that is away or says no), `Synced.error` is the reason with the next
        step, and nothing is half done. Raises `PersonOnlyError`, `GitError`, `UsageError`, `LockedError`.
        """
        ports, settings = self.opened.ports, self.opened.settings
        done = sync(ports, settings, scope, remote=remote, way=way, push=push, progress=self.progress)
        if done.conflicts and done.error is not None and done.error.hint and not self._merges_by_key():
            done.error.hint = f"first: vmem install merge; then {done.error.hint}"
        came = done.received
        if came.added or came.edited or came.renamed:
            with suppress(SidecarError):  # the next look at the files tells it
                self.freshen()
                return replace(done, same_id=tuple(sorted(self._same_id(scope, done))))
        return done

    def _merges_by_key(self) -> bool:
        """Whether a merge by the person's own git keeps front matter whole in this clone."""
        driver = compose.merge_driver(self.opened.held.files.root, self.opened.settings)
        return driver.command() is not None

    def _same_id(self, scope: Scope, done: Synced) -> Iterator[tuple[VaultPath, VaultPath]]:
        """Of the memories that came, those that share an id with another one, with that."""
        index = self.opened.ports.index
        came = done.received
        told: set[frozenset[VaultPath]] = set()
        for path in (*came.added, *came.edited, *(new for _, new in came.renamed)):
            entry = index.entry(path)
            if entry is None or entry.id is None:
                continue
            for other in index.find(scope, id_prefix=entry.id):
                pair = frozenset((path, other.path))
                same = other.id is not None and other.id.casefold() == entry.id.casefold()
                if same and other.path != path and pair not in told:
                    told.add(pair)
                    yield path, other.path
