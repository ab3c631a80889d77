"""Since when a question no longer finds a memory: which memory is meant, and where to look for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vault_memory.model.bisected import Looked
from vault_memory.model.branches import Point
from vault_memory.model.hit import Recall, Shown
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.recallcheck.judge import place_of
from vault_memory.ops.removed import there_or_removed
from vault_memory.ports import Ports


@dataclass(frozen=True, slots=True)
class Expected:
    """A memory through its history: its id, if it has one, and where it has lain, the present place first.
    `commits` have touched it, newest first."""

    id: str | None
    title: str
    paths: tuple[VaultPath, ...]
    commits: tuple[str, ...]

    def among(self, entries: Iterable[Entry]) -> Entry | None:
        """The memory as it is in a view, `None` where it is not there."""
        found = [one for one in entries if self._is(one)]
        return next((one for one in found if one.id is not None and one.id == self.id), None) or next(
            iter(found), None
        )

    def _is(self, entry: Entry) -> bool:
        if entry.id is not None and self.id is not None:
            return entry.id == self.id
        return entry.path in self.paths


def expected(ports: Ports, scope: Scope, ref: str) -> Expected:
    """The memory that `ref` names, be it there or removed. Raises `MemoryNotFoundError`,
    `AmbiguousRefError`."""
    named = there_or_removed(ports, scope, ref)
    revisions = list(ports.history.log(named.path, limit=None))
    paths = [named.path, *(VaultPath(one) for revision in revisions for one in revision.paths)]
    return Expected(
        named.id,
        named.title,
        tuple(dict.fromkeys(one for one in paths if scope.may_read(one))),
        tuple(revision.commit for revision in revisions),
    )


def hints(wanted: Expected, line: Sequence[Point]) -> list[int]:
    """The places on the line just before and just after the memory was touched."""
    at = {point.commit: place for place, point in enumerate(line)}
    touched = [at[commit] for commit in wanted.commits if commit in at]
    return [place for one in touched for place in (one + 1, one)]


def looked(ports: Ports, scope: Scope, wanted: Expected, point: Point, recall: Recall) -> Looked:
    """What an answer in a view says of the memory."""
    entry = wanted.among(ports.index.entries(scope))
    if entry is None:
        return Looked(point, None, exists=False)
    expired = entry.expires is not None and entry.expires <= ports.clock.now()
    return Looked(point, place_in(recall, entry.path), exists=True, expired=expired)


def place_in(recall: Recall, path: VaultPath) -> int | None:
    """The memory's place among what came back, from 1; no more than its title is not enough."""
    place = place_of(recall, path)
    return None if place is None or recall.items[place - 1].shown is Shown.TITLE else place
