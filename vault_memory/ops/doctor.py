"""Is everything well? Each check is one row: what was looked at, the outcome, and what to do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress

from vault_memory.errors import LockedError, StorageError, VmemError
from vault_memory.model.health import Check
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.revision import branch_name
from vault_memory.ops.settle import waiting
from vault_memory.ports import Ports, Scan

MOST = 50
"""So many files that can't be searched are named; the rest are counted."""


def doctor(ports: Ports, scope: Scope) -> list[Check]:
    """Run every check; none changes anything, and none stops the others.

    Files are counted and named as far as the scope may read them.
    """
    checks: list[Check] = []
    for name, look in CHECKS:
        try:
            checks.append(look(ports, scope, name))
        except VmemError as error:
            checks.append(Check(name, False, error.message, error.hint or ""))
    return checks


def _files(ports: Ports, scope: Scope, name: str) -> Check:
    scan = _readable(ports, scope)
    count = len(scan.stamps)
    found = f"{count} Markdown file{'' if count == 1 else 's'}"
    odd = [*scan.odd, *_unreadable(ports, scan)]
    if odd:
        named = "; ".join(f"{path}: {reason}" for path, reason in odd[:MOST])
        rest = f"; and {len(odd) - MOST} more" if len(odd) > MOST else ""
        return Check(
            name,
            False,
            f"{found}; {len(odd)} can't be searched: {named}{rest}",
            "mend each, or move it out of the vault",
        )
    return Check(name, True, found)


def _readable(ports: Ports, scope: Scope) -> Scan:
    """What lies in the vault, as far as the scope may read it."""
    scan = ports.files.scan()
    return Scan(
        tuple(stamp for stamp in scan.stamps if scope.may_read(stamp.path)),
        tuple((path, reason) for path, reason in scan.odd if scope.may_read(path)),
    )


def _unreadable(ports: Ports, scan: Scan) -> list[tuple[str, str]]:
    """(path, reason) of files that the index lacks because they can't be read: too large, no permission."""
    known = ports.index.known_files()
    found: list[tuple[str, str]] = []
    for stamp in scan.stamps:
        if stamp.path not in known:
            try:
                ports.files.read(stamp.path)
            except StorageError as error:
                found.append((stamp.path, error.reason))
    return found


def _index(ports: Ports, scope: Scope, name: str) -> Check:
    if ports.index.notice:
        return Check(
            name,
            False,
            ports.index.notice,
            "mend the permissions of .vmem/local, or delete it: it is rebuilt",
        )
    known = [path for path in ports.index.known_files() if scope.may_read(path)]
    scan = _readable(ports, scope)
    apart = {stamp.path for stamp in scan.stamps}.symmetric_difference(known)
    behind = apart.difference(path for path, _ in _unreadable(ports, scan))
    if behind:
        return Check(name, False, f"it is behind the files, e.g. at {min(behind)}", "run: vmem reindex")
    wrong = [path for path in known if _differs(ports, path)]
    if wrong:
        return Check(
            name, False, f"{len(wrong)} entries do not match their file, e.g. {wrong[0]}", "run: vmem reindex"
        )
    return Check(name, True, f"holds every file (generation {ports.index.generation})")


def _differs(ports: Ports, path: VaultPath) -> bool:
    known = ports.index.known([path]).get(path)
    try:
        found = ports.files.read(path)
    except StorageError:
        return False
    if known is None or found is None or not known.stamp.same_as(found.stamp):
        return False
    return known.version != hashlib.sha256(found.content).hexdigest()


def _journal(ports: Ports, scope: Scope, name: str) -> Check:
    with suppress(LockedError), ports.lock.held(wait=0):
        pass  # where the lock can't be taken at all, nothing can be written either
    count = sum(scope.may_read(intent.operation.path) for intent in waiting(ports))
    if count:
        return Check(
            name,
            False,
            "1 memory waits for its commit" if count == 1 else f"{count} memories wait for their commit",
            "vmem status says why; the next write that can, commits",
        )
    return Check(name, True, "nothing waits")


def _repository(ports: Ports, _: Scope, name: str) -> Check:
    state = ports.history.state()
    if not state.exists:
        return Check(
            name,
            False,
            "no git repository: memories are saved without history",
            "run: git init   in the vault",
        )
    if state.blocked:
        return Check(name, False, state.blocked, "memories are saved and wait until git is ready")
    return Check(name, True, f"branch {branch_name(state.branch)}")


def _clock(ports: Ports, _: Scope, name: str) -> Check:
    head = ports.history.head_time()
    now = ports.clock.now()
    if head is not None and now < head:
        return Check(
            name,
            False,
            f"the clock says {now:%Y-%m-%d}, before the newest commit ({head:%Y-%m-%d})",
            "set it",
        )
    return Check(name, True, f"{now:%Y-%m-%d %H:%M} UTC")


def _embedder(ports: Ports, _: Scope, name: str) -> Check:
    if ports.embedder.id == "none":
        return Check(name, True, "none: keyword search only")
    if ports.embedder.reason:
        return Check(name, False, ports.embedder.reason, "keyword search goes on meanwhile")
    return Check(name, True, ports.embedder.id)


CHECKS: tuple[tuple[str, Callable[[Ports, Scope, str], Check]], ...] = (
    ("files", _files),
    ("index", _index),
    ("journal", _journal),
    ("repository", _repository),
    ("clock", _clock),
    ("embedder", _embedder),
)
