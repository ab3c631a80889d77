"""Handles of views: the vault as of a commit, as reviewed, or with an agent's proposals in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from vault_memory import viewing
from vault_memory.compose import Opened
from vault_memory.facets.index import IndexFacet
from vault_memory.model.branches import AsOf
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import short
from vault_memory.ops.asof import as_of, reviewed
from vault_memory.ports import Clock, Progress
from vault_memory.vault import Vault
from vault_memory.viewing import View


def at(opened: Opened, scope: Scope, when: str | datetime, progress: Progress) -> Vault:
    """The vault as of a commit or a date, at that time."""
    found = as_of(opened.ports, opened.settings, scope, when)
    clock = viewing.standing_clock(opened, found.at)
    shown = f"the vault as of commit {short(found.point.commit)}"
    return _of_commit(opened, found, shown, clock, _told(found, opened.settings.zone), progress)


def as_reviewed(opened: Opened, progress: Progress) -> Vault:
    """The vault as the reviewed branch holds it, now."""
    point = reviewed(opened.ports, opened.settings)
    now = AsOf(point, opened.ports.clock.now())
    told = f"only what is on the reviewed branch (commit {short(point.commit)})"
    return _of_commit(opened, now, "the reviewed branch", opened.ports.clock, told, progress)


def with_changes(
    opened: Opened, scope: Scope, changes: Iterable[tuple[VaultPath, bytes | None]], progress: Progress
) -> Vault:
    """The vault as it lies there with changed files laid over: what `scope` alone may see of them."""
    who = "the person" if scope.agent is None else f"agent {scope.agent}"
    shown = "the vault with what is proposed in it"
    view = viewing.overlaid(opened, dict(changes), who=who, shown=shown)
    return Vault(view, progress=progress)


def _of_commit(opened: Opened, found: AsOf, shown: str, clock: Clock, told: str, progress: Progress) -> Vault:
    view, lent = viewing.at_commit(opened, found.point, shown=shown, clock=clock)
    return Vault(lent, progress=progress, vouched=_vouch(view, lent, told, progress))


def _told(found: AsOf, zone: ZoneInfo) -> str:
    """Which commit is looked at, and when that is."""
    at, when = (f"{one.astimezone(zone):%Y-%m-%d %H:%M}" for one in (found.at, found.point.when))
    of = "" if at == when else f" of {when}"
    return f"as of {at} (commit {short(found.point.commit)}{of})"


def _vouch(view: View, lent: Opened, what: str, progress: Progress) -> Callable[[], tuple[str, ...]]:
    """Fill the index where that is still to be done; a commit never changes, so once is enough."""

    def vouch() -> tuple[str, ...]:
        if view.filled is None or view.filled != _file_of(lent):
            report = IndexFacet(lent, _nobody_looks, progress).refresh(in_passing=True)
            notice = lent.ports.index.notice
            view.told = tuple(dict.fromkeys(one for one in (report.reason, notice) if one))
            whole = report.reason is None and lent.ports.index.shelf.complete()
            view.filled = _file_of(lent) if whole else None
        return (what, *view.told)

    return vouch


def _file_of(opened: Opened) -> tuple[str, str | None]:
    index = opened.ports.index
    with index.reading():
        return index.instance, index.rebuilt


def _nobody_looks() -> None:
    """The time of the look matters to nobody."""
