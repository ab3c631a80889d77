"""Why a memory or a text that was to come back did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from vault_memory.config.settings import Settings
from vault_memory.errors import AmbiguousRefError, GitError, MemoryNotFoundError, NotFoundError
from vault_memory.model.filters.chosen import Look
from vault_memory.model.hit import Dropped, Reason, Recall, SearchResult
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope
from vault_memory.model.recallcheck.check import RecallCheck, Wanted
from vault_memory.model.recallcheck.judge import place_of, said
from vault_memory.model.recallcheck.verdict import Broken, Why
from vault_memory.model.revision import short
from vault_memory.ops.filtered import chosen
from vault_memory.ops.history import log
from vault_memory.ports import Ports


@dataclass(slots=True)
class Missed:
    """One answer, and all that is asked of the vault to say why something is not in it.

    Memories are named as `runner` may name them; the question was asked as `scope`.
    """

    ports: Ports
    settings: Settings
    runner: Scope
    scope: Scope
    check: RecallCheck
    recall: Recall
    search: Callable[[], SearchResult]
    """All that matches, without a budget; asked for only where something is missed."""
    _found: SearchResult | None = field(default=None, init=False)

    def absent(self, wanted: Wanted, error: MemoryNotFoundError) -> Broken:
        """A name that no memory has; where history knows one, the commit that removed it."""
        detail = ""
        with suppress(NotFoundError, AmbiguousRefError, GitError):
            for last in log(self.ports, self.runner, wanted.name, limit=1):
                how = " since commit" if last.removed & set(last.paths) else " any more; last in commit"
                detail = f"{how} {short(last.commit)} ({last.subject})"
        if not detail and error.hint is not None and error.hint.startswith("did you mean"):
            detail = f" ({error.hint.partition('?')[0]}?)"
        return Broken(wanted, True, Why.ABSENT, detail=detail)

    def memory(self, wanted: Wanted, entry: Entry) -> Broken:
        """A memory that is not shown."""
        dropped = {one.entry.path: one for one in (*self._all.dropped, *self.recall.omitted)}
        left_out = dropped.get(entry.path)
        places = {hit.entry.path: at for at, hit in enumerate(self._all.hits, 1)}
        place = places.get(entry.path)
        score = None if place is None else self._all.hits[place - 1].score
        why, detail = self._reason(entry, left_out, matches=place is not None)
        return Broken(wanted, True, why, entry.path, place, score, detail)

    def text(self, wanted: Wanted) -> Broken:
        """A text that is not shown: of the memories that hold it, the one that came nearest is told of."""
        holders = list(holding(self.ports, self.runner, wanted.name))
        if not holders:
            return Broken(wanted, True, Why.NOWHERE)
        nearest = {hit.entry.path: at for at, hit in enumerate(self._all.hits)}
        entry = min(holders, key=lambda one: (nearest.get(one.path, len(nearest)), one.path))
        place = place_of(self.recall, entry.path)
        if place is not None:
            score = self.recall.items[place - 1].hit.score
            return Broken(wanted, True, Why.CUT, entry.path, place, score)
        return self.memory(wanted, entry)

    @property
    def _all(self) -> SearchResult:
        if self._found is None:
            self._found = self.search()
        return self._found

    def _reason(self, entry: Entry, left_out: Dropped | None, *, matches: bool) -> tuple[Why | Reason, str]:
        if not self.scope.may_read(entry.path):
            return Why.HIDDEN, ""
        if left_out is not None:
            return left_out.reason, left_out.instead_of or ""
        now = self.ports.clock.now()
        if entry.expires is not None and entry.expires <= now:
            return Reason.EXPIRED, ""
        filter_ = chosen(self.ports, self.settings, self.check.filter)
        look = filter_.look(entry)
        if look is not Look.FITS:
            return Why.FILTERED, ": it has no date" if look is Look.UNDATED else ""
        return (Reason.LIMIT, "") if matches else (Why.UNMATCHED, "")


def holding(ports: Ports, scope: Scope, text: str) -> Iterator[Entry]:
    """The memories within what the scope may read that hold a text in their title or their body."""
    wanted = said(text)
    for entry in ports.index.entries(scope):
        passages = ports.index.passages_of(entry.path)
        body = "\n".join(one.passage.text for one in passages)
        if wanted in said(f"{entry.title}\n{body}"):
            yield entry
