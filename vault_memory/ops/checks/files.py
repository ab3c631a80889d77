"""Are the files and the index of them well?"""

from __future__ import annotations

from contextlib import suppress

from vault_memory.errors import SidecarError, StorageError
from vault_memory.model.change import KnownFile
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import version_of
from vault_memory.ops.checks.sight import FIX, Sight, Told, counted
from vault_memory.ops.faults import faults
from vault_memory.ops.meaning import keyword_only, worker
from vault_memory.ports import Ports

MOST = 50
"""So many files that can't be searched are named; the rest are counted."""


def files(sight: Sight) -> Told:
    """How many there are, how many are faulty, and which can't be searched."""
    found = counted(len(sight.scan.stamps), "Markdown file")
    faulty = len(faults(sight.ports, sight.settings, sight.scope))
    if faulty:
        found += f", {counted(faulty, 'problem')} in them (vmem lint)"
    if sight.scan.skipped:
        # No fault: this is how a person is to see why a note is not found.
        named = "; ".join(f"{path}/: {reason}" for path, reason in sight.scan.skipped[:MOST])
        found += f"; not looked into: {named}"
    odd = [*sight.scan.odd, *sight.unreadable]
    if not odd:
        return found, None
    named = "; ".join(f"{path}: {reason}" for path, reason in odd[:MOST])
    rest = f"; and {len(odd) - MOST} more" if len(odd) > MOST else ""
    return f"{found}; {len(odd)} can't be searched: {named}{rest}", "mend each, or move it out of the vault"


def index(sight: Sight) -> Told:
    """Whether the sidecar can be written, and says what the files say."""
    ports = sight.ports
    if ports.index.notice:
        return ports.index.notice, "mend the permissions of .vmem/local, or delete it: it is rebuilt"
    ports.index.check()
    known = {path: one for path, one in ports.index.known_files().items() if sight.scope.may_read(path)}
    apart = {stamp.path for stamp in sight.scan.stamps}.symmetric_difference(known)
    behind = apart.difference(path for path, _ in sight.unreadable)
    if behind:
        return f"it is behind the files, e.g. at {min(behind)}", FIX
    wrong = [path for path, one in known.items() if _differs(ports, path, one)]
    if wrong:
        return f"{len(wrong)} entries do not match their file, e.g. {wrong[0]}", FIX
    return f"holds every file (generation {ports.index.generation})", None


def _differs(ports: Ports, path: VaultPath, known: KnownFile) -> bool:
    try:
        found = ports.files.read(path)
    except StorageError:
        return False
    if found is None or not known.stamp.same_as(found.stamp):
        return False
    return known.version != version_of(found.content)


def embedder(sight: Sight) -> Told:
    """What search by meaning needs, and a reranker where one is set."""
    embedder, reranker = sight.ports.embedder, sight.ports.reranker
    if reranker.id != "none" and reranker.reason is not None:
        return f"reranker: {reranker.reason}", "answers come in the order of words and meaning meanwhile"
    if embedder.id == "none":
        return "none: keyword search only", None
    if embedder.reason:
        return embedder.reason, "keyword search goes on meanwhile"
    with suppress(SidecarError):  # the check of the index tells it
        unfinished = keyword_only(sight.ports, sight.scope)
        if unfinished is not None and worker(sight.ports) is None:
            return f"{embedder.id}: {unfinished}", "vmem embedder build"
    return embedder.id, None
