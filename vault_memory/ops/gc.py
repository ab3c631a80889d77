"""Removing what has expired: listing it, and taking it out of the vault in one commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, GitError, StorageError
from vault_memory.model.expiry import (
    ALIVE,
    CHANGED,
    IGNORED,
    STAYS,
    Collected,
    Expired,
    check_clock,
    expired_from,
    has_expired,
    message_lines,
)
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import batch_message
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.outcome import Written
from vault_memory.model.revision import FileState, Op, Operation, author_of, version_of
from vault_memory.ops.turn import Turn
from vault_memory.ops.write import Step, one_commit, perform
from vault_memory.ports import Ports, Progress, no_progress


def expired(ports: Ports, scope: Scope, *, now: datetime | None = None) -> list[Expired]:
    """What has expired and the scope may remove, in path order, and why something of it can't go.

    Without `now` it is the clock's, and `ClockError` is raised where the last commit makes that
    doubtful. Changes nothing.
    """
    at = present(ports, now)
    with ports.index.reading():
        entries = ports.index.expired(scope, at)
    found = [entry for entry in entries if scope.may_write(entry.path) and has_expired(entry, at)]
    kept = _why_kept(ports, [entry.path for entry in found])
    return [expired_from(entry, stays=kept[entry.path]) for entry in found]


def gc(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    listed: Sequence[Expired],
    *,
    now: datetime | None = None,
    progress: Progress = no_progress,
) -> Collected:
    """Remove these memories in one commit, but those that changed since, live on, or are not in git.

    Raises `ClockError` as `expired` does, `ScopeError` for what the scope may not remove.
    """
    for one in listed:
        scope.check_write(one.path)
    if not listed:
        return Collected(present(ports, now))
    turn = Turn(ports, settings["lock_seconds"], progress)

    def act() -> tuple[Collected, list[Written]]:
        at = present(ports, now)
        reason = _blocked(ports)
        kept = _why_kept(ports, [one.path for one in listed])
        judged = [
            replace(
                one,
                stays=reason or _why_left(ports, settings.zone, at, one) or kept[one.path],
                removed=False,
            )
            for one in listed
        ]
        while True:
            going = [one for one in judged if one.stays is None]
            if not going:
                return Collected(at, tuple(judged), reason=reason), []
            try:
                written = _remove(turn, settings, scope, going)
            except (ConflictError, StorageError) as error:
                # Nothing was removed. All but this one may still go, under a message without it.
                refused = [one for one in going if one.path == error.path]
                if not refused:
                    raise
                judged = [replace(one, stays=error.message) if one in refused else one for one in judged]
                continue
            gone = {one.path for one in written}
            return Collected(at, tuple(replace(one, removed=one.path in gone) for one in judged)), written

    turn.settle()
    collected, written = turn.take(act)
    return _with_commit(collected, turn.committed(written)) if written else collected


def present(ports: Ports, now: datetime | None) -> datetime:
    """The given time, or the clock's once the last commit makes it likely. Raises `ClockError`."""
    if now is not None:
        return now
    at = ports.clock.now()
    try:
        head = ports.history.head_time()
    except GitError:  # it can't be asked now: then nothing is clean either, and nothing will go
        head = None
    check_clock(at, head)
    return at


def _why_kept(ports: Ports, paths: Sequence[VaultPath]) -> dict[VaultPath, str | None]:
    """Why each file may not be collected, `None` where HEAD holds just what lies there."""
    if not paths:
        return {}
    reason = _blocked(ports)
    if reason is not None:
        return dict.fromkeys(paths, reason)
    return {
        path: IGNORED if state is FileState.UNTRACKED and ports.history.ignored(path) else STAYS.get(state)
        for path, state in ports.history.file_states(paths).items()
    }


def _blocked(ports: Ports) -> str | None:
    """Why nothing at all can be collected, `None` where git is ready."""
    state = ports.history.state()
    if not state.exists:
        return f"history could not bring it back: {state.blocked}"
    return f"no commit can be made now: {state.blocked}" if state.blocked else None


def _why_left(ports: Ports, zone: tzinfo, at: datetime, one: Expired) -> str | None:
    """Why this one may not go, by the bytes that lie there now; `None` where they let it."""
    try:
        found = ports.files.read(one.path)
    except StorageError as error:
        return error.message
    if found is None:
        return STAYS[FileState.MISSING]
    if version_of(found.content) != one.version:
        return CHANGED
    if not has_expired(parse_memory(one.path, found.content, zone=zone), at):
        return ALIVE
    return None


def _remove(turn: Turn, settings: Settings, scope: Scope, going: Sequence[Expired]) -> list[Written]:
    what = "1 expired memory" if len(going) == 1 else f"{len(going):,} expired memories"
    message = batch_message(Op.GC, what, message_lines(going), agent=scope.agent)
    author = author_of(scope)
    steps = [
        Step(Operation(Op.GC, one.path, None, one.version, message, author), None, one.id, one.title)
        for one in going
    ]
    return perform(turn, settings.zone, one_commit(turn.ports, steps), whole=True)


def _with_commit(collected: Collected, written: Sequence[Written]) -> Collected:
    return replace(
        collected,
        commit=next((one.commit for one in written if one.commit), None),
        reason=next((one.reason for one in written if one.reason), None),
        notices=tuple(dict.fromkeys(notice for one in written for notice in one.notices)),
    )
