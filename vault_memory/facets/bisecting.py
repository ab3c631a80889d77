"""`vault.history.bisect`: the commit after which a question stopped finding its memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vault_memory import viewing
from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.errors import GitError
from vault_memory.facets.index import IndexFacet
from vault_memory.model.bisected import Bisected, Looked, Since, bisect
from vault_memory.model.branches import Point
from vault_memory.model.hit import Recall
from vault_memory.model.namespace import Namespace, Scope
from vault_memory.model.revision import Revision
from vault_memory.ops.bisect import Expected, expected, hints, looked, place_in
from vault_memory.ports import Clock, Progress


@dataclass(frozen=True, slots=True)
class Bisecting:
    """One question, asked of one commit after the other."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    scope: Scope
    query: str
    max_tokens: int | None
    progress: Progress

    def of(self, ref: str) -> Bisected:
        """Search the first-parent line of HEAD for the commit that lost the memory called `ref`."""
        self.freshen()
        ports = self.opened.ports
        wanted = expected(ports, self.scope, ref)
        if ports.history.state().head is None:
            raise GitError("there is no commit to look at yet", hint="vmem remember makes one")
        line = ports.points.line("HEAD")
        with viewing.one_after_another(self.opened) as look:
            ask = self._asked(wanted, line, look)
            since, good, seen = bisect(len(line), ask, hints(wanted, line))
        by_commit = {one.point.commit: one for one in seen}
        lost = by_commit[line[good - 1].commit] if since is Since.LOST and good else None
        return Bisected(
            self.query,
            wanted.title,
            wanted.paths[0],
            since,
            tuple(seen),
            len(line),
            by_commit[line[good].commit] if good is not None else None,
            lost,
            self._revision(lost.point.commit) if lost is not None else None,
            self._now(wanted),
        )

    def _revision(self, commit: str) -> Revision | None:
        """The commit; of what it says an agent is told nothing, since that may name what it may not read."""
        found = self.opened.ports.history.revisions([commit]).get(commit)
        return replace(found, subject="") if found is not None and self.scope.agent is not None else found

    def _asked(
        self, wanted: Expected, line: list[Point], look: Callable[[Point, Clock], Opened]
    ) -> Callable[[int], Looked]:
        asked = 0

        def ask(at: int) -> Looked:
            nonlocal asked
            asked += 1
            # Half of the rest goes with each, and where to begin takes as many again.
            self.progress("asking commits", asked, max(asked, 2 * len(line).bit_length()))
            point = line[at]
            view = look(point, viewing.standing_clock(self.opened, point.when))
            IndexFacet(view, _nobody_looks, self.progress).refresh()
            return looked(view.ports, self.scope, wanted, point, self._recall(view))

        return ask

    def _recall(self, opened: Opened) -> Recall:
        scope = replace(self.scope, here=Namespace(""))
        return Agent(opened.unnoted(), scope, _nothing_to_tell).recall(self.query, max_tokens=self.max_tokens)

    def _now(self, wanted: Expected) -> int | None:
        """The place that it has now, as of the files."""
        entry = wanted.among(self.opened.ports.index.entries(self.scope))
        return None if entry is None else place_in(self._recall(self.opened), entry.path)


def _nobody_looks() -> None:
    """The time of the look matters to nobody."""


def _nothing_to_tell() -> tuple[str, ...]:
    return ()
