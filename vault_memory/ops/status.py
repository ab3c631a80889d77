"""Where a vault stands: its index, its embedder, and what waits for a commit."""

from __future__ import annotations

from vault_memory.errors import GitError, SidecarError
from vault_memory.model.health import Status, Waiting
from vault_memory.model.namespace import Scope
from vault_memory.model.revision import FileState, RepoState
from vault_memory.ops.settle import waiting
from vault_memory.ports import Ports


def status(ports: Ports, scope: Scope, *, notices: tuple[str, ...] = ()) -> Status:
    """Look; change nothing."""
    now = ports.clock.now()
    with ports.index.reading():
        entries = ports.index.entries(scope)
        findings = tuple(ports.index.findings(scope))
        generation = ports.index.generation
    repo = ports.history.state()
    pending, journal_notice = _pending(ports, scope, repo)
    own = {one.path for one in pending}
    uncommitted, git_notice = _uncommitted(ports, repo)
    return Status(
        root=str(ports.files.root),
        memories=len(entries),
        expired=sum(entry.expires is not None and entry.expires <= now for entry in entries),
        findings=findings,
        generation=generation,
        embedder=ports.embedder.id,
        embedder_reason=ports.embedder.reason,
        repo=repo,
        waiting=tuple(pending),
        uncommitted=tuple(
            (path, state) for path, state in uncommitted if path not in own and scope.may_read(path)
        ),
        notices=(*notices, *journal_notice, *git_notice),
    )


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
