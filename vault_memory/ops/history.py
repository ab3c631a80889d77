"""What git knows of memories, and bringing back one that was removed."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from vault_memory.config.settings import Settings
from vault_memory.errors import AmbiguousRefError, ConflictError, MemoryNotFoundError, UsageError
from vault_memory.model.caseless import caseless
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.message import commit_message
from vault_memory.model.namespace import Scope, VaultPath, folder_of
from vault_memory.model.naming import file_name
from vault_memory.model.outcome import Written
from vault_memory.model.revision import Op, Operation, Revision, author_of, version_of
from vault_memory.ops.quota import check_quotas
from vault_memory.ops.removed import Removed, find_removed, there_or_removed
from vault_memory.ops.resolve import resolve
from vault_memory.ops.turn import Turn
from vault_memory.ops.within import check_place
from vault_memory.ops.write import Step, bring_back
from vault_memory.ports import Ports


def log(
    ports: Ports, scope: Scope, ref: str | None, *, limit: int | None, chosen: Filter = Filter.none
) -> list[Revision]:
    """Commits that touched memories, newest first. A scope sees only what it may read of them.

    `chosen` asks for agents (or authors) and times. The person is told of merges too: when an accepted
    proposal or another clone's memories came in, and what a merge made of a memory."""
    if limit is not None and limit < 1:
        raise UsageError(f"{limit} can't be a number of commits", hint="give 1 or more, or None for all")
    limit = None if limit is None else min(limit, sys.maxsize)
    merges = scope.agent is None  # what others propose, and how that is called, is not there for an agent
    path = None if ref is None else there_or_removed(ports, scope, ref).path
    of_it = filter(partial(_is_chosen, chosen), ports.history.log(path, limit=None, merges=merges))
    if path is None:
        return list(islice(_visible(scope, of_it), limit))
    told = list(islice(_visible(scope, of_it), limit))
    mixed = _mixed(ports, scope, [one.commit for one in told])
    return list(_visible(scope, told, mixed))


def _is_chosen(chosen: Filter, revision: Revision) -> bool:
    by = caseless(revision.agent or revision.author)
    if chosen.agents and by not in chosen.agents:
        return False
    early = chosen.since is not None and revision.when < chosen.since
    return not early and (chosen.until is None or revision.when < chosen.until)


def restore(ports: Ports, settings: Settings, scope: Scope, ref: str) -> Written:
    """Bring back a memory that was removed, as it was last."""
    turn = Turn(ports, settings["lock_seconds"])

    def act() -> Written:
        try:
            removed = find_removed(ports, scope, ref)
        except MemoryNotFoundError:
            _refuse_what_is_there(ports, scope, ref)
            raise
        if removed.lives_at is not None:
            raise _nothing_to_restore(removed.lives_at)
        path = _free_path(ports, removed)
        check_place(ports, scope, path)
        return _put_back(turn, settings, scope, path, removed.content)

    turn.settle()
    [written] = turn.committed([turn.take(act)])
    return written


def _put_back(turn: Turn, settings: Settings, scope: Scope, path: VaultPath, content: bytes) -> Written:
    ports = turn.ports
    memory = parse_memory(path, content, zone=settings.zone)
    if ports.files.stat(path) is not None:
        raise ConflictError(path, "a file is there already", hint=f"vmem show {path}")
    operation = Operation(
        Op.RESTORE,
        path,
        version_of(content),
        None,
        commit_message(Op.RESTORE, memory.title, memory_id=memory.id, agent=scope.agent),
        author_of(scope),
    )
    step = Step(operation, content, memory.id, memory.title)
    check_quotas(ports, scope, settings.zone, [step])
    [written] = bring_back(turn, settings.zone, [step])
    return written


def _mixed(ports: Ports, scope: Scope, commits: Sequence[str]) -> frozenset[str]:
    """Those of the commits that hold a memory too which the scope may not read; the log of one path can't
    tell."""
    if scope.agent is None:
        return frozenset()
    whole = ports.history.revisions(commits).values()
    return frozenset(one.commit for one in whole if not all(map(scope.may_read, one.paths)))


def _visible(
    scope: Scope, revisions: Iterable[Revision], mixed: Collection[str] = frozenset()
) -> Iterator[Revision]:
    """Commits with at least one readable path, without the paths that are not."""
    for revision in revisions:
        paths = tuple(path for path in revision.paths if scope.may_read(path))
        if len(paths) == len(revision.paths) and revision.commit not in mixed:
            yield revision
        elif paths:
            # The subject may name a memory that this caller may not read.
            yield replace(revision, subject="(several memories)", memory_id=None, paths=paths)


def _refuse_what_is_there(ports: Ports, scope: Scope, ref: str) -> None:
    try:
        path = resolve(ports, scope, ref).path
    except (MemoryNotFoundError, AmbiguousRefError):
        return
    if ports.files.stat(path) is not None:
        raise _nothing_to_restore(path)


def _nothing_to_restore(path: VaultPath) -> ConflictError:
    return ConflictError(
        path,
        "it is there, so there is nothing to restore",
        hint=f"vmem log {path} shows what was done to it",
    )


def _free_path(ports: Ports, removed: Removed) -> VaultPath:
    """Where a removed memory was; beside it, if another took its name."""
    if ports.files.stat(removed.path) is None:
        return removed.path
    folder = folder_of(removed.path)
    name = file_name(removed.memory.title, ports.files.names_in(folder), removed.memory.id or "restored")
    return VaultPath(f"{folder}/{name}" if folder else name)
