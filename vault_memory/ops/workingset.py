"""The working set of a caller, from their memories and from what changed since they last looked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vault_memory.config.settings import Settings
from vault_memory.errors import GitError, StorageError, TokenUnknownError
from vault_memory.model.changes import Basis, Changes
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.memory import Entry
from vault_memory.model.namespace import Scope
from vault_memory.model.prompt import Frame
from vault_memory.model.revision import version_of
from vault_memory.model.uses import UsedMemory
from vault_memory.model.workingset import Change, Note, WorkingSet, change_of, chosen, compose
from vault_memory.ops.changes import Asked, changes, note_begun
from vault_memory.ops.sieve import Sieve
from vault_memory.ops.superseded import living
from vault_memory.ports import Ports


def working_set(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    budget: int,
    head: str | None,
    session: str | None = None,
    frame: Callable[[str], str] = str,
) -> WorkingSet:
    """What is pinned, decided, planned and new, and what changed since the caller's mark.

    It is at most `budget` tokens long, with what `frame` puts around it. `session` is one of the caller's
    that begins with it: then the mark is moved on, unless a change found no room at all. `head` is where HEAD
    stood before the index was brought up to the files.
    """
    now = ports.clock.now()
    found = _changes(ports, settings, scope, head, session)
    with ports.index.reading():
        sieve = Sieve(scope, Filter.none, now)
        entries = [one for one in ports.index.entries(scope) if not sieve.is_expired(one)]
        parts = chosen(entries, scope.agent)
        replaced = living(ports, scope, [one.path for part in parts.values() for one in part], now)
        known = ports.index.count(scope)
    worded = Frame("", known, now, settings.zone)
    notes = [
        [note for one in part if one.path not in replaced and (note := _note(ports, settings, worded, one))]
        for part in parts.values()
    ]
    rest = "vmem changes" if session is None or found is None else _told_by(found)
    made = compose(notes, _told(found), budget=budget, count=ports.tokens.count, frame=frame, rest=rest)
    if session is not None and found is not None and made.told:
        _move_mark(ports, scope, session, found)
    return made


def _changes(
    ports: Ports, settings: Settings, scope: Scope, head: str | None, session: str | None
) -> Changes | None:
    """What others changed; `None` where it can't be told."""
    try:
        return changes(ports, settings, scope, Asked(others=True, session=session), head=head)
    except (GitError, TokenUnknownError):
        return None


def _told(found: Changes | None) -> list[Change]:
    return [] if found is None else [change_of(one) for one in found.events]


def _told_by(found: Changes) -> str:
    """The command that tells what finds no room here: the mark moves on, so it says from where."""
    return "vmem changes" if found.basis is Basis.NOTHING else f"vmem changes --since {found.since}"


def _move_mark(ports: Ports, scope: Scope, session: str, found: Changes) -> None:
    try:
        note_begun(ports, scope, session, found.token)
    except StorageError:  # it is told once more next time
        return


def _note(ports: Ports, settings: Settings, worded: Frame, entry: Entry) -> Note | None:
    """The memory as its file says it now; `None` where it has gone or can't be read."""
    try:
        found = ports.files.read(entry.path)
    except StorageError:
        return None
    if found is None:
        return None
    memory = parse_memory(entry.path, found.content, zone=settings.zone)
    if memory.conflicted:
        return None
    used = UsedMemory(entry.path, entry.id, version_of(found.content))
    return Note(used, worded.source(replace(entry, title=memory.title), memory.body_line), memory.body)
