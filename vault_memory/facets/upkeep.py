"""`vault.upkeep`: how the vault is, and what waits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.compose import Opened
from vault_memory.errors import SidecarError, ValueFormatError
from vault_memory.model.expiry import Collected, Expired
from vault_memory.model.health import Brief, Check, Flushed, Mended, Status
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import CommitReport
from vault_memory.ops.doctor import doctor
from vault_memory.ops.gc import expired, gc
from vault_memory.ops.gc_staged import gc_staged
from vault_memory.ops.settle import settle
from vault_memory.ops.status import brief, status
from vault_memory.ports import Progress, no_progress

if TYPE_CHECKING:
    from vault_memory.facets.checks import ChecksFacet
    from vault_memory.facets.duplicates import DuplicatesFacet
    from vault_memory.facets.secrets import SecretsFacet
    from vault_memory.model.linted import Fixed, FixPlan, LintReport


def without_asking(_: FixPlan) -> bool:
    """Agrees to every plan."""
    return True


@dataclass(frozen=True, slots=True)
class UpkeepFacet:
    """Status, doctor, and finishing what a crash left."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]
    progress: Progress = no_progress
    read: Callable[[], tuple[str, ...]] = tuple
    """Brings the index up to the files too, and makes no vectors."""

    def status(self, scope: Scope) -> Status:
        """Counts, index, embedder, and what is not committed; changes nothing in the vault."""
        return status(self.opened.ports, self.opened.settings, scope, notices=self.freshen())

    def brief(self, scope: Scope) -> Brief:
        """The same in a few numbers, for a prompt; files are looked at only where git names new ones."""
        return brief(self.opened.ports, self.opened.settings, scope, self.freshen)

    def doctor(self, scope: Scope) -> list[Check]:
        """Every check with its outcome and what to do; files are named as far as the scope may read."""
        with suppress(SidecarError):  # the check of the index tells it
            self.freshen()
        return doctor(self.opened.ports, self.opened.settings, scope)

    def mend(self, scope: Scope) -> list[Mended]:
        """Do what the doctor can do without a person: `.vmem/local/`, dead locks, the journal, the index.

        No note is touched, but for one that a killed vmem was writing; what the scope may not read is not
        told of. Raises `LockedError`.
        """
        from vault_memory.ops.doctor_fix import fix

        with suppress(SidecarError):
            self.freshen()
        return fix(self.opened.ports, self.opened.settings, scope, progress=self.progress)

    def lint(
        self,
        scope: Scope,
        *,
        paths: Collection[str] = (),
        rules: Iterable[str] = (),
        ignore: Iterable[str] = (),
        everything: bool = False,
    ) -> LintReport:
        """Every fault in the files, of all severities; changes nothing.

        `paths` are files and folders of the vault, all without any. `rules` (codes or names) are the
        only ones to look for; slow ones take a name, or `everything`. Raises `UsageError`.
        With `paths` a small vault's index is not made for this alone.
        """
        from vault_memory.ops.lint import lint  # here: few calls of vmem need the rules
        from vault_memory.ops.stock import by_files

        opened = self.opened
        stock = by_files(opened.ports, opened.settings.zone, scope) if paths else None
        notices = self.read() if stock is None else ()
        return lint(
            self.opened.ports,
            self.opened.settings,
            scope,
            paths=paths,
            rules=rules,
            ignore=ignore,
            everything=everything,
            notices=notices,
            stock=stock,
            progress=self.progress,
        )

    def fix(
        self,
        scope: Scope,
        *,
        paths: Collection[str] = (),
        rules: Iterable[str] = (),
        ignore: Iterable[str] = (),
        agree: Callable[[FixPlan], bool] = without_asking,
    ) -> Fixed:
        """Mend what can be mended without a guess, in one commit, if `agree` says so of the plan.

        A missing id is put in only if its rule is among `rules`. Files with a person's uncommitted
        work are left, and named in the plan.
        """
        from vault_memory.ops.fix import fix

        self.read()
        return fix(
            self.opened.ports,
            self.opened.settings,
            scope,
            paths=paths,
            rules=rules,
            ignore=ignore,
            agree=agree,
            progress=self.progress,
        )

    def expired(self, scope: Scope, *, now: datetime | None = None) -> list[Expired]:
        """What has expired and the scope may remove, and why something of it can't go; changes nothing.

        Without `now` it is the clock's; `ClockError` where the last commit makes that doubtful.
        """
        self.read()
        return expired(self.opened.ports, scope, now=aware(now))

    def gc(
        self, scope: Scope, listed: Sequence[Expired] | None = None, *, now: datetime | None = None
    ) -> Collected:
        """Remove what has expired in one commit; with `listed`, of it only what was listed so.

        What git does not hold as it lies there is left, with the reason. `now` is as for `expired`.
        """
        if listed is None:
            listed = self.expired(scope, now=now)
        opened = self.opened
        return gc(opened.ports, opened.settings, scope, listed, now=aware(now), progress=self.progress)

    def gc_staged(self, scope: Scope, *, now: datetime | None = None) -> Collected:
        """In a pre-commit hook: let what has expired leave with the commit under way.

        Judges the staged files, needs no search index, and makes no commit.
        """
        return gc_staged(self.opened.ports, self.opened.settings, scope, now=aware(now))

    @property
    def checks(self) -> ChecksFacet:
        """The recall checks: what must come back, and what must not."""
        from vault_memory.facets.checks import ChecksFacet

        return ChecksFacet(self.opened, self.freshen, self.progress)

    @property
    def duplicates(self) -> DuplicatesFacet:
        """Memories that say the same, and merging them."""
        from vault_memory.facets.duplicates import DuplicatesFacet

        return DuplicatesFacet(self.opened, self.freshen, self.progress)

    @property
    def secrets(self) -> SecretsFacet:
        """What looks like a secret, in files and in all of history."""
        from vault_memory.facets.secrets import SecretsFacet

        return SecretsFacet(self.opened, self.progress)

    def flush(self, scope: Scope) -> Flushed:
        """Commit now what waits, whoever wrote it; what still waits of that which the scope may read.

        Raises `LockedError`."""
        from vault_memory.ops.flush import flush

        return flush(self.opened.ports, self.opened.settings, scope, progress=self.progress)

    def settle(self) -> CommitReport:
        """Commit what waits, if git is ready; also what a killed process left."""
        return settle(self.opened.ports, wait=self.opened.settings["lock_seconds"], progress=self.progress)


def aware(now: datetime | None) -> datetime | None:
    """The time, if it says its offset. Raises `ValueFormatError`."""
    if now is not None and now.tzinfo is None:
        raise ValueFormatError("now", now.isoformat(), "a time with its offset from UTC")
    return now
