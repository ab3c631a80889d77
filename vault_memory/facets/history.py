"""`vault.history`: what git knows of memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, TypeVar

from vault_memory.compose import Opened
from vault_memory.model.bisected import Bisected
from vault_memory.model.blame import Blame
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.model.reverted import Reverted
from vault_memory.model.revision import Revision
from vault_memory.ops.filtered import chosen
from vault_memory.ops.history import log
from vault_memory.ops.mended import mended
from vault_memory.ports import Progress, no_progress

if TYPE_CHECKING:
    from vault_memory.vault import Vault

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HistoryFacet:
    """The commits of memories: who wrote what, and when."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def log(
        self,
        scope: Scope,
        ref: str | None = None,
        *,
        limit: int | None = 20,
        source_agent: str | Sequence[str] | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
    ) -> Sequence[Revision]:
        """Commits of one memory (renames followed, removed ones too) or of all, newest first.

        Those alone that are by one of these agents, or by a person of that name, and of that time.
        """
        only = self._chosen(source_agent=source_agent, since=since, until=until)
        if ref is None:
            return log(self.opened.ports, scope, None, limit=limit, chosen=only)
        return self._found(lambda: log(self.opened.ports, scope, ref, limit=limit, chosen=only))

    def blame(self, scope: Scope, ref: str) -> Blame:
        """The lines of a memory's file, each with the commit that brought it in as it is.

        Raises `MemoryNotFoundError`, `GitError`."""
        from vault_memory.ops.blame import blame

        return self._found(lambda: blame(self.opened.ports, scope, ref))

    def revert(
        self,
        scope: Scope,
        what: str | None = None,
        *,
        source_agent: str | Sequence[str] | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        namespace: str | None = None,
        dry_run: bool = False,
    ) -> Reverted:
        """Take back in one commit: a commit, a memory's last change, or what these agents did in that time
        and namespace (with a memory, to it alone). All that others have done since stays.

        What can't be taken back for that is left, and named; `Agent.undo` takes the whole back. Only the
        person may. Raises `NotFoundError`, `PersonOnlyError`, `GitError` where no commit can be made now.
        """
        from vault_memory.ops.revert import revert

        only = self._chosen(source_agent=source_agent, since=since, until=until, namespace=namespace)
        return self._found(
            lambda: revert(
                self.opened.ports,
                self.opened.settings,
                scope,
                what,
                only,
                dry_run=dry_run,
                progress=self.progress,
            )
        )

    def _chosen(self, **choice: object) -> Filter:
        given = {name: value for name, value in choice.items() if value is not None}
        return chosen(self.opened.ports, self.opened.settings, given)

    def at(self, when: str | datetime, *, scope: Scope = PERSON) -> Vault:
        """The vault as it was in a commit (`v1.0`, `main~3`, a hash) or by a date: what is asked of it is
        answered as it would have been then. It can only be read, and is to be closed.

        A commit is looked at as of its own time, a date as of its end. `scope` is who looks: an agent finds
        only what led to HEAD or to the reviewed branch, and its own proposals. Raises
        `RevisionNotFoundError`, `GitError`.
        """
        from vault_memory.facets import views

        return views.at(self.opened, scope, when, self.progress)

    def reviewed(self) -> Vault:
        """The vault as the reviewed branch holds it now, whatever is checked out. It can only be read, and is
        to be closed. Raises `RevisionNotFoundError` where no branch is the reviewed one, `GitError`."""
        from vault_memory.facets import views

        return views.as_reviewed(self.opened, self.progress)

    def proposed(self, scope: Scope) -> Vault:
        """The vault with what the agent proposes in it: its own open proposals, and nobody else's.

        It can only be read, and is to be closed. Raises `GitError`."""
        from vault_memory.facets import views
        from vault_memory.facets.review import ReviewFacet

        changes = ReviewFacet(self.opened, self.freshen, self.progress).changes(scope)
        return views.with_changes(self.opened, scope, changes, self.progress)

    def bisect(self, scope: Scope, query: str, *, expect: str, max_tokens: int | None = None) -> Bisected:
        """Search the first-parent line of HEAD for the commit after which the question no longer found the
        memory that `expect` names, be it there still or removed. Every commit is asked as of its own time.

        Raises `MemoryNotFoundError`, `AmbiguousRefError`, `GitError`."""
        from vault_memory.facets.bisecting import Bisecting

        return Bisecting(self.opened, self.freshen, scope, query, max_tokens, self.progress).of(expect)

    def now(self) -> datetime:
        """The time that it is there: of a vault as of a commit, that of the commit."""
        return self.opened.ports.clock.now()

    def _found(self, read: Callable[[], T]) -> T:
        """Find by what the files say now, in an index that is mended where it is damaged."""

        def fresh(_: tuple[str, ...]) -> T:
            self.freshen()
            return read()

        return mended(
            self.opened.ports,
            self.opened.settings.zone,
            fresh,
            wait=self.opened.settings["lock_seconds"],
            progress=self.progress,
        )
