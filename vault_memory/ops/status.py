"""Where a vault stands: its index, its embedder, and what waits for a commit."""

from __future__ import annotations

from collections.abc import Callable

from vault_memory.config.settings import Settings
from vault_memory.errors import GitError, SidecarError
from vault_memory.model.facts import Upstream
from vault_memory.model.health import Brief, Status, Waiting
from vault_memory.model.mounts import warning
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import FileState, RepoState
from vault_memory.ops.faults import faults
from vault_memory.ops.meaning import keyword_only
from vault_memory.ops.settle import waiting
from vault_memory.ports import Ports


def status(ports: Ports, settings: Settings, scope: Scope, *, notices: tuple[str, ...] = ()) -> Status:
    """Look; change nothing."""
    now = ports.clock.now()
    with ports.index.reading():
        entries = ports.index.entries(scope)
        findings = faults(ports, settings, scope)
        generation = ports.index.generation
    repo = ports.history.state()
    pending, journal_notice = _pending(ports, scope, repo)
    own = {one.path for one in pending}
    uncommitted, git_notice = _uncommitted(ports, repo)
    upstream, upstream_notice = _upstream(ports)
    proposals, proposals_notice = _proposals(ports, scope)
    written_ns = ports.index.written_ns
    memories = ports.index.known_files().keys()
    return Status(
        root=str(ports.files.root),
        memories=len(entries),
        expired=sum(entry.expires is not None and entry.expires <= now for entry in entries),
        findings=findings,
        conflicted=tuple(entry.path for entry in entries if entry.conflicted),
        generation=generation,
        index_seconds=None if written_ns is None else max(ports.clock.now_ns() - written_ns, 0) / 1e9,
        embedder=ports.embedder.id,
        embedder_reason=keyword_only(ports, scope),
        repo=repo,
        upstream=upstream,
        proposals=proposals,
        waiting=tuple(pending),
        uncommitted=tuple(
            (path, state)
            for path, state in uncommitted
            # What is no memory (a link, an editor's lock, a folder left out) is none of our business.
            if path not in own and scope.may_read(path) and (path in memories or state is FileState.MISSING)
        ),
        notices=(
            *notices,
            *_disk(ports, notices),
            *journal_notice,
            *git_notice,
            *upstream_notice,
            *proposals_notice,
        ),
    )


def brief(ports: Ports, settings: Settings, scope: Scope, freshen: Callable[[], object]) -> Brief:
    """The same in a line for a shell prompt. The files are looked at (`freshen`) only where git names
    one that the index does not know: it may be a new memory, or none."""
    repo = ports.history.state()
    changed = [
        pair for pair in (ports.history.uncommitted() if repo.exists else []) if scope.may_read(pair[0])
    ]
    memories = ports.index.known_files().keys()
    if any(path not in memories and state is not FileState.MISSING for path, state in changed):
        freshen()
        memories = ports.index.known_files().keys()
    not_in_git = {path for path, state in changed if path in memories or state is FileState.MISSING}
    not_in_git |= {one.operation.path for one in waiting(ports) if scope.may_read(one.operation.path)}
    upstream = ports.history.upstream()
    return Brief(
        ports.files.root.name,
        repo.branch,
        len(not_in_git),
        upstream.ahead if upstream is not None else 0,
        len(faults(ports, settings, scope)),
    )


def _upstream(ports: Ports) -> tuple[Upstream | None, tuple[str, ...]]:
    try:
        return ports.history.upstream(), ()
    except GitError as error:
        return None, (f"can't tell what is not pushed: {error.message}",)


def _proposals(ports: Ports, scope: Scope) -> tuple[int, tuple[str, ...]]:
    from vault_memory.ops.propose import waiting_for_review  # here: with it comes all that writes

    try:
        return waiting_for_review(ports, scope), ()
    except GitError as error:
        return 0, (f"can't tell which proposals wait for review: {error.message}",)


def _disk(ports: Ports, told: tuple[str, ...]) -> tuple[str, ...]:
    words = warning(ports.files.network_disk) if ports.files.network_disk else None
    return (words,) if words is not None and words not in told else ()


def _pending(ports: Ports, scope: Scope, repo: RepoState) -> tuple[list[Waiting], tuple[str, ...]]:
    try:
        intents = waiting(ports)
    except SidecarError as error:
        return [], (f"can't tell what waits for a commit: {error.message}",)
    return [
        Waiting(
            intent.operation.path,
            intent.operation.op.value,
            repo.blocked or intent.reason or "the next write commits it",
        )
        for intent in intents
        if scope.may_read(intent.operation.path)
    ], ()


def _uncommitted(ports: Ports, repo: RepoState) -> tuple[list[tuple[str, FileState]], tuple[str, ...]]:
    if not repo.exists:
        return [], ()
    try:
        return ports.history.uncommitted(), ()
    except GitError as error:
        return [], (f"can't tell what is not committed: {error.message}",)
