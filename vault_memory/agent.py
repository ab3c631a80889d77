"""Memory as one caller sees it: an agent, or the person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, Unpack

from vault_memory.compose import Opened
from vault_memory.facets.onlyproposing import must_propose, or_proposed, remember_proposed
from vault_memory.model.ask import Ask, ask, whole
from vault_memory.model.draft import draft_from, edit_from
from vault_memory.model.filters.choice import Choice
from vault_memory.model.hit import Recall, SearchResult, Strategy
from vault_memory.model.inventory import Listing, Order, parse_order
from vault_memory.model.memory import Draft
from vault_memory.model.namespace import Scope
from vault_memory.model.oneof import one_of
from vault_memory.model.outcome import OnDuplicate, Wait, Written
from vault_memory.ops.edit import edit
from vault_memory.ops.filtered import chosen
from vault_memory.ops.forget import forget
from vault_memory.ops.history import restore
from vault_memory.ops.listing import listing
from vault_memory.ops.mended import mended
from vault_memory.ops.noted import noted
from vault_memory.ops.recall import recall
from vault_memory.ops.remember import remember_many
from vault_memory.ops.rules import checked
from vault_memory.ops.search import search
from vault_memory.ops.show import ShownMemory, show
from vault_memory.ops.undo import undo
from vault_memory.ports import Progress, no_progress

if TYPE_CHECKING:
    from vault_memory.facets.proposing import Proposing

T = TypeVar("T")


def as_it_is(written: Written) -> Written:
    """The outcome of a write, unchanged."""
    return written


@dataclass(frozen=True, slots=True)
class How:
    """How memories are to be written."""

    dry_run: bool
    allow_secret: bool
    wait: Wait
    on_duplicate: OnDuplicate

    @classmethod
    def of(cls, dry_run: bool, allow_secret: bool, wait: Wait | str | None, on_duplicate: str) -> How:
        """Checked. Raises `UsageError`."""
        until = Wait.SAVED if wait is None else one_of(Wait, wait, "no such thing to wait for:")
        then = one_of(OnDuplicate, on_duplicate, "there is no such way with duplicates:")
        return cls(dry_run, allow_secret, until, then)


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
    kept: Callable[[Written], Written] = as_it_is
    """What each outcome of a write becomes before it is answered."""

    def remember(
        self,
        text: str,
        *,
        dry_run: bool = False,
        allow_secret: bool = False,
        wait: Wait | str | None = None,
        on_duplicate: OnDuplicate | str = OnDuplicate.KEEP,
        **fields: object,
    ) -> Written:
        """Write a memory and commit it; what its namespace says already is found, not doubled, unless
        `on_duplicate` is `"refuse"` (it is an error) or `"new"`.

        `fields`: title, importance (0–1), tags, ttl (`"30d"`), expires, kind, pinned, namespace
        (`"market"` is `shared/market`; without one, the caller's own folder), links, and `extra`, a
        mapping of further front matter keys. With `dry_run` nothing is written. What looks like a
        secret is refused; the person, and no agent, may write it all the same with `allow_secret`.
        `wait="commit"` answers once git has it. Without that a process that commits a little later answers
        as soon as it is saved and searchable, with `commit` still `None`; any other has committed it.
        Raises `ValueFormatError`, `RefusedError`, `ScopeError`, `StorageError`, `LockedError`.
        """
        draft = self._checked({"text": text, **fields}, lambda: draft_from(text, fields))
        [written] = self._remember([draft], How.of(dry_run, allow_secret, wait, on_duplicate))
        return written

    def remember_many(
        self,
        memories: Iterable[str | Mapping[str, object]],
        *,
        dry_run: bool = False,
        allow_secret: bool = False,
        wait: Wait | str | None = None,
        on_duplicate: OnDuplicate | str = OnDuplicate.KEEP,
    ) -> Sequence[Written]:
        """Write many under one lock: each a text, or a mapping of `text` and the fields of `remember`.

        All are checked before the first is written. `wait` and `on_duplicate` are as for `remember`.
        """
        drafts = [self._draft(memory) for memory in memories]
        return self._remember(drafts, How.of(dry_run, allow_secret, wait, on_duplicate))

    def recall(
        self,
        query: str,
        *,
        max_tokens: int | None = None,
        strategy: Strategy | str | None = None,
        min_score: float = 0.0,
        **choice: Unpack[Choice],
    ) -> Recall:
        """The best memories for the query that fit in `max_tokens`; `str()` of it goes into a prompt.

        `choice` says which may be found: namespace, tag, kind, source_agent, since, until, path, where.
        """
        settings = self.opened.settings
        budget = settings["recall_tokens"] if max_tokens is None else whole("max_tokens", max_tokens)
        asked = self._asked(query, strategy, min_score, choice)
        recalled = self._read(
            lambda notices: recall(
                self.opened.ports,
                self.scope,
                asked,
                notices=notices,
                max_tokens=budget,
                zone=settings.zone,
            )
        )
        return noted(self.opened.ports, self.scope, recalled)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        strategy: Strategy | str | None = None,
        min_score: float = 0.0,
        **choice: Unpack[Choice],
    ) -> SearchResult:
        """The best memories for the query, with scores and the passages that matched; `choice` as in
        `recall`."""
        asked = self._asked(query, strategy, min_score, choice)
        return self._read(
            lambda notices: search(
                self.opened.ports,
                self.scope,
                asked,
                notices=notices,
                limit=whole("limit", limit),
                zone=self.opened.settings.zone,
            )
        )

    def show(self, ref: str) -> ShownMemory:
        """One memory from its file: by path, id, unique id prefix or exact title."""
        zone = self.opened.settings.zone
        return self._read(lambda _: show(self.opened.ports, self.scope, ref, zone=zone))

    def list(
        self,
        *,
        sort: Order | str = Order.PATH,
        limit: int | None = None,
        expired: bool = False,
        **choice: Unpack[Choice],
    ) -> Listing:
        """All memories that the caller may read; `choice` as in `recall`.

        `sort`: path, title, importance, updated or created. Expired ones come only if asked for.
        """
        order, most = parse_order(sort), None if limit is None else whole("limit", limit)
        return self._read(
            lambda notices: listing(
                self.opened.ports,
                self.scope,
                chosen(self.opened.ports, self.opened.settings, choice),
                notices=notices,
                order=order,
                limit=most,
                expired=expired,
            )
        )

    def edit(
        self,
        ref: str,
        *,
        text: str | None = None,
        add_tags: Iterable[str] = (),
        remove_tags: Iterable[str] = (),
        if_match: str | None = None,
        allow_secret: bool = False,
        extra: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Written:
        """Change keys (a value of `None` takes the key out), tags or the text; other bytes stay.

        `fields` are front matter keys; `extra` is a mapping of more of them, for names that are no
        keyword or one of ours, such as `text`. `if_match` is a version from `show`: if the file has
        another one, `ConflictError`. `allow_secret` is as for `remember`, for what the change brings in.
        """
        given = [*fields.items(), *(extra or {}).items()]
        adding = tuple(add_tags) if not isinstance(add_tags, str) else add_tags
        change = self._checked(
            {"text": text or "", "tag": adding, **dict(given)},
            lambda: edit_from(text, given, adding, remove_tags),
        )
        settings = self.opened.settings
        return or_proposed(
            self,
            lambda one: one._read(
                lambda _: edit(
                    one.opened.ports,
                    settings,
                    one.scope,
                    ref,
                    change,
                    if_match=if_match,
                    allow_secret=allow_secret,
                )
            ),
        )

    def forget(self, ref: str, *, if_match: str | None = None) -> Written:
        """Remove a memory, in a commit of its own; history keeps it."""
        settings = self.opened.settings
        return or_proposed(
            self,
            lambda one: one._read(
                lambda _: forget(one.opened.ports, settings, one.scope, ref, if_match=if_match)
            ),
        )

    def restore(self, ref: str) -> Written:
        """Bring a removed memory back from history."""
        settings = self.opened.settings
        return self.kept(self._read(lambda _: restore(self.opened.ports, settings, self.scope, ref)))

    def undo(self) -> Sequence[Written]:
        """Take back this caller's last operation, by a new commit; one outcome for each of its files."""
        undone = undo(self.opened.ports, self.opened.settings, self.scope, progress=self.progress)
        return [self.kept(one) for one in undone]

    def propose(self, name: str | None = None, about: str | None = None) -> Proposing:
        """Begin a proposal, or go on with one: what is written to it waits on a branch for a person's review.

        It has the verbs of an agent, and is a context manager. Without a name it is the one of today. The
        person names one that is open. Raises `GitError` where nothing can be committed, `UsageError`.
        """
        from vault_memory.facets.proposing import propose

        return propose(self.opened, self.scope, name, about, self.progress)

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

    def _asked(self, query: object, strategy: object, min_score: object, choice: Mapping[str, object]) -> Ask:
        """The question, checked."""
        return ask(
            query,
            strategy=strategy or self.opened.settings["strategy"],
            min_score=min_score,
            chosen=chosen(self.opened.ports, self.opened.settings, choice),
            weights=self.opened.weights,
        )

    def _draft(self, memory: str | Mapping[str, object]) -> Draft:
        given = memory if isinstance(memory, Mapping) else {"text": memory}
        return self._checked(given, lambda: draft_from_item(memory))

    def _checked(self, given: Mapping[str, object], make: Callable[[], T]) -> T:
        """What `make` makes; a message of its own never repeats a secret that was given."""
        return checked(self.opened.ports, self.scope, given, make)

    def _remember(self, drafts: Sequence[Draft], how: How) -> Sequence[Written]:
        if any(must_propose(self, one) for one in drafts):
            return remember_proposed(self, drafts, how, Agent._remember)
        written = self._mended(
            lambda _: remember_many(
                self.opened.ports,
                self.opened.settings,
                self.scope,
                drafts,
                dry_run=how.dry_run,
                allow_secret=how.allow_secret,
                saved=how.wait is Wait.SAVED,
                on_duplicate=how.on_duplicate,
                progress=self.progress,
            )
        )
        return [self.kept(one) for one in written]


def draft_from_item(memory: str | Mapping[str, object]) -> Draft:
    """A draft from a text, or from a mapping of `text` and fields."""
    if isinstance(memory, str):
        return draft_from(memory, {})
    fields = dict(memory)
    return draft_from(fields.pop("text", ""), fields)
