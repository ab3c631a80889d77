"""`vault.upkeep.checks`: what recall must find, kept in a file, asked again whenever something changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from vault_memory import beside, viewing
from vault_memory.agent import Agent
from vault_memory.compose import Opened
from vault_memory.config.change import FileChange
from vault_memory.errors import ChecksFileError, RefusedError, StorageError, UsageError
from vault_memory.facets.upkeep import aware
from vault_memory.model.ask import positive
from vault_memory.model.hit import Recall, SearchResult, Shown
from vault_memory.model.namespace import Scope
from vault_memory.model.recallcheck.append import lines_of, with_check
from vault_memory.model.recallcheck.check import FILE, RecallCheck, Wanted
from vault_memory.model.recallcheck.read import LARGEST, read_checks
from vault_memory.model.recallcheck.verdict import CheckAdded, CheckReport
from vault_memory.ops.recallcheck import Asking, run_checks
from vault_memory.ports import Progress, no_progress

MOST = 5
"""So many memories of an answer become what must come back, unless it is said how many."""


_OTHER = ".vmem/checks.yml"
"""How the file is called by mistake: to overlook it would be to check nothing."""


@dataclass(frozen=True, slots=True)
class ChecksFacet:
    """The recall checks of one open vault."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress

    def run(self, scope: Scope, text: str | None = None, *, now: datetime | None = None) -> CheckReport:
        """Ask every check, or those whose question holds `text`; changes nothing.

        An agent asks each as itself; those of other agents, and those that name what it may not read, are
        left out and counted. With `now` (aware) age and expiry count from then. Raises `ChecksFileError`, and
        `UsageError` where no question holds the text.
        """
        at = aware(now)
        checks = self._checks(scope)
        notices = self.freshen()
        opened = self.opened.unnoted()
        if at is not None:
            clock = viewing.standing_clock(opened, at)
            opened = replace(opened, held=replace(opened.ports, clock=clock))
        asking = Asking(
            opened.ports,
            opened.settings,
            scope,
            lambda asks: _Asker(Agent(opened, asks, _no_notices, self.progress)),
            self.progress,
        )
        return run_checks(asking, checks, text=text, notices=notices)

    def add(
        self,
        scope: Scope,
        question: str,
        *,
        agent: str | None = None,
        max_tokens: int | None = None,
        first: int | None = None,
    ) -> CheckAdded:
        """Write the present answer as a check, behind those that are there; the person commits it.

        What comes back for `agent` (else for the person) has to come back from then on: the `first`
        memories, which then must stay the first, or without it the best five. Only the person may. Raises
        `ChecksFileError`, `UsageError` where nothing comes back, `RefusedError` for a secret.
        """
        scope.check_person("write checks", hint="ask the person to run: vmem check --write …")
        if first is not None:
            positive("first", first)
        content = self._content()
        who = self.opened.scope(agent)
        asker = Agent(self.opened.unnoted(), who, self.freshen, self.progress)
        recall = asker.recall(question, max_tokens=max_tokens)
        items = recall.items[:first]
        shown = [item.hit.entry.path for item in items if item.shown is not Shown.TITLE]
        if not shown:
            hint = "ask for what is there, or give it more tokens"
            raise UsageError(f"nothing comes back for {question!r:.200}", hint=hint)
        must = tuple(Wanted(0, path) for path in (shown if first else shown[:MOST]))
        check = RecallCheck(0, question.strip(), must, agent=agent, max_tokens=max_tokens, first=first)
        after, written = with_check(content, check)
        self._refuse_secret(lines_of(written))
        root = self.opened.ports.files.root
        beside.put_settings(FileChange(root / FILE, root, content, after))
        return CheckAdded(written, lines_of(written), recall)

    def _checks(self, scope: Scope) -> tuple[RecallCheck, ...]:
        """All that the file holds. What is wrong with it repeats what stands there, so the person alone hears
        that. Raises `ChecksFileError`."""
        try:
            return read_checks(self._content() or b"")
        except ChecksFileError as error:
            if scope.agent is None:
                raise
            hint = "ask the person to run: vmem check"
            raise ChecksFileError(
                FILE, error.line, "the file of the checks can't be read", hint=hint
            ) from None

    def _content(self) -> bytes | None:
        content = self._read(FILE)
        if content is None and self._read(_OTHER) is not None:
            raise ChecksFileError(_OTHER, 1, "is not read under this name", hint=f"call it {FILE}")
        return content

    def _read(self, name: str) -> bytes | None:
        try:
            return beside.read_own(self.opened.ports.files.root, name, most=LARGEST)
        except StorageError as error:
            hint = "checks are read from a plain file in the vault's own folder"
            raise ChecksFileError(name, 1, f"can't be read: {error.reason}", hint=hint) from error

    def _refuse_secret(self, text: str) -> None:
        found = self.opened.ports.scanner.scan(text)
        if found:
            reason = "the check looks like it holds a secret"
            hint = "checks are committed with the vault; what is no secret goes into allow_secrets"
            raise RefusedError(found[0][0], reason, field="ask", hint=hint)


@dataclass(frozen=True, slots=True)
class _Asker:
    """Asks as everybody does: checks must see the very answers that agents get."""

    agent: Agent

    def recall(self, check: RecallCheck) -> Recall:
        return self.agent.recall(
            check.ask,
            max_tokens=check.max_tokens,
            strategy=check.strategy,
            min_score=check.min_score,
            **check.filter,  # type: ignore[arg-type]  # its names are those of a `Choice`
        )

    def all_that_match(self, check: RecallCheck) -> SearchResult:
        return self.agent.search(
            check.ask,
            limit=max(1, self.agent.opened.ports.index.count(self.agent.scope)),
            strategy=check.strategy,
            min_score=check.min_score,
            **check.filter,  # type: ignore[arg-type]  # as above
        )


def _no_notices() -> tuple[str, ...]:
    """The files were looked at before the first question."""
    return ()
