"""Memory as one caller sees it: an agent, or the person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from vault_memory.compose import Opened
from vault_memory.model.draft import draft_from, edit_from
from vault_memory.model.hit import Recall, SearchResult, Strategy, parse_strategy
from vault_memory.model.memory import Draft, Entry
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Revision
from vault_memory.ops.edit import edit
from vault_memory.ops.forget import forget
from vault_memory.ops.history import log, restore, undo
from vault_memory.ops.listing import listing
from vault_memory.ops.mended import mended
from vault_memory.ops.recall import recall
from vault_memory.ops.remember import remember_many
from vault_memory.ops.search import search
from vault_memory.ops.show import ShownMemory, show
from vault_memory.ops.within import folder_named
from vault_memory.ports import Progress, no_progress

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Agent:
    """The verbs of memory, within what one caller may read and write. Made by `Vault.agent(name)`.

    An agent reads its own private folder and everything outside `private/`, and writes to its
    own private folder and to `shared/`. `Vault.person` reads and writes all.
    """

    opened: Opened
    scope: Scope
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def remember(self, text: str, *, dry_run: bool = False, **fields: object) -> Written:
        """Write a memory and commit it; the same text in the same namespace is found, not doubled.

        `fields`: title, importance (0–1), tags, ttl (`"30d"`), expires, kind, pinned, namespace
        (`"market"` is `shared/market`; without one, the caller's own folder), links, and `extra`, a
        mapping of further front matter keys. With `dry_run` nothing is written.
        Raises `ValueFormatError`, `RefusedError`, `ScopeError`, `StorageError`, `LockedError`.
        """
        [written] = self._remember([draft_from(text, fields)], dry_run=dry_run)
        return written

    def remember_many(
        self, memories: Iterable[str | Mapping[str, object]], *, dry_run: bool = False
    ) -> Sequence[Written]:
        """Write many under one lock: each a text, or a mapping of `text` and the fields of `remember`.

        All are checked before the first is written.
        """
        return self._remember([draft_from_item(memory) for memory in memories], dry_run=dry_run)

    def recall(
        self,
        query: str,
        *,
        max_tokens: int | None = None,
        strategy: Strategy | str | None = None,
        min_score: float = 0.0,
        namespace: str | None = None,
    ) -> Recall:
        """The best memories for the query that fit in `max_tokens`; `str()` of it goes into a prompt."""
        settings = self.opened.settings
        return self._read(
            lambda notices: recall(
                self.opened.ports,
                self.scope,
                query,
                notices=notices,
                max_tokens=settings["recall_tokens"] if max_tokens is None else max_tokens,
                strategy=parse_strategy(strategy or settings["strategy"]),
                zone=settings.zone,
                min_score=min_score,
                under=folder_named(self.opened.ports, namespace),
            )
        )

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        strategy: Strategy | str | None = None,
        min_score: float = 0.0,
        namespace: str | None = None,
    ) -> SearchResult:
        """The best memories for the query, with scores and the passages that matched."""
        settings = self.opened.settings
        return self._read(
            lambda notices: search(
                self.opened.ports,
                self.scope,
                query,
                notices=notices,
                limit=limit,
                zone=settings.zone,
                strategy=parse_strategy(strategy or settings["strategy"]),
                min_score=min_score,
                under=folder_named(self.opened.ports, namespace),
            )
        )

    def show(self, ref: str) -> ShownMemory:
        """One memory from its file: by path, id, unique id prefix or exact title."""
        zone = self.opened.settings.zone
        return self._read(lambda _: show(self.opened.ports, self.scope, ref, zone=zone))

    def list(
        self, *, namespace: str | None = None, tag: str | None = None, expired: bool = False
    ) -> Sequence[Entry]:
        """All memories that the caller may read, in path order."""
        under = folder_named(self.opened.ports, namespace)
        return self._read(
            lambda _: listing(self.opened.ports, self.scope, under=under, tag=tag, expired=expired)
        )

    def edit(
        self,
        ref: str,
        *,
        text: str | None = None,
        add_tags: Iterable[str] = (),
        remove_tags: Iterable[str] = (),
        if_match: str | None = None,
        extra: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Written:
        """Change keys (a value of `None` takes the key out), tags or the text; other bytes stay.

        `fields` are front matter keys; `extra` is a mapping of more of them, for names that are no
        keyword or one of ours, such as `text`. `if_match` is a version from `show`: if the file has
        another one, `ConflictError`.
        """
        change = edit_from(text, [*fields.items(), *(extra or {}).items()], add_tags, remove_tags)
        settings = self.opened.settings
        return self._read(
            lambda _: edit(self.opened.ports, settings, self.scope, ref, change, if_match=if_match)
        )

    def forget(self, ref: str, *, if_match: str | None = None) -> Written:
        """Remove a memory, in a commit of its own; history keeps it."""
        settings = self.opened.settings
        return self._read(lambda _: forget(self.opened.ports, settings, self.scope, ref, if_match=if_match))

    def restore(self, ref: str) -> Written:
        """Bring a removed memory back from history."""
        settings = self.opened.settings
        return self._read(lambda _: restore(self.opened.ports, settings, self.scope, ref))

    def undo(self) -> Written:
        """Take back this caller's last operation, by a new commit."""
        return undo(self.opened.ports, self.opened.settings, self.scope)

    def log(self, ref: str | None = None, *, limit: int | None = 20) -> Sequence[Revision]:
        """Commits of one memory (renames followed, removed ones too) or of all, newest first."""
        if ref is None:
            return log(self.opened.ports, self.scope, None, limit=limit)
        return self._read(lambda _: log(self.opened.ports, self.scope, ref, limit=limit))

    def _read(self, read: Callable[[tuple[str, ...]], T]) -> T:
        """Find by what the files say now; `read` is given what to tell of the index."""
        return self._mended(lambda notices: read((*notices, *self.freshen())))

    def _mended(self, read: Callable[[tuple[str, ...]], T]) -> T:
        """Writes too: they look things up before they begin, and after that no damage stops them."""
        return mended(
            self.opened.ports,
            self.opened.settings.zone,
            read,
            wait=self.opened.settings["lock_seconds"],
            progress=self.progress,
        )

    def _remember(self, drafts: Sequence[Draft], *, dry_run: bool) -> Sequence[Written]:
        return self._mended(
            lambda _: remember_many(
                self.opened.ports,
                self.opened.settings,
                self.scope,
                drafts,
                dry_run=dry_run,
                progress=self.progress,
            )
        )


def draft_from_item(memory: str | Mapping[str, object]) -> Draft:
    """A draft from a text, or from a mapping of `text` and fields."""
    if isinstance(memory, str):
        return draft_from(memory, {})
    fields = dict(memory)
    return draft_from(fields.pop("text", ""), fields)
