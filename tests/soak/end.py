"""What is looked at when a soak is over, and all that may be wrong with it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash.children import processes_in, wait_for_orphans
from tests.crash.vaults import PERSONS
from tests.crash.witness import broken_objects, files_of, look, pending, strays, unlike_a_rebuild
from tests.gitrun import run_git
from tests.soak import checks
from tests.soak.ways import Command, RefusedError
from vault_memory.surfaces.resident import door
from vault_memory.vault import Vault

if TYPE_CHECKING:
    from tests.soak.run import Soak

KEPT_OUT = (".gitattributes", ".gitignore", ".vmem/config.toml", ".vmem/.gitignore")
"""Files that are neither memories nor the person's."""


def faults_at_the_end(soak: Soak) -> list[str]:
    """Bring everything to rest, and look."""
    faults = _rested(soak)
    root, known = soak.root, soak.known
    files = files_of(root)
    told = {path: content for path, content in files.items() if not path.startswith(f"{PERSONS}/")}
    versions, commits = versions_in_history(root), _commits(root)
    spared = checks.set_back(known, told, versions, commits)
    known.counts["set back by the person's stash, and in history"] = len(spared)
    faults += checks.files_as_told(known, told, spared)
    faults += checks.answers(known, spared)
    faults += checks.nothing_else(known, told)
    faults += checks.each_once(known, told)
    faults += _not_committed(soak)
    faults += checks.history_holds(known, versions, commits)
    faults += _odd_names(root)
    faults += [f"left behind: {name}" for name in strays(root)]
    faults += [f"git fsck: {said}" for said in broken_objects(root).splitlines()]
    faults += [f"still running: {pid}" for pid in [*processes_in(root), *soak.resident.lives()]]
    faults += [f"a file of the socket's is left: {name}" for name in _sockets(root)]
    if count := pending(root):
        faults.append(f"{count} intents are still open")
    with Vault.open(root) as vault:
        faults += [f"index: {table}" for table in unlike_a_rebuild(vault, soak.home / "copy")]
        faults += _not_found(soak, vault, spared)
    return faults


def _rested(soak: Soak) -> list[str]:
    """Flush, stop the resident, and let what was killed end what it had started."""
    faults: list[str] = []
    by_hand = Command(soak.root, soak.known, soak.lives, "auto" if soak.with_resident else "off")
    if soak.with_resident:
        try:
            by_hand.ask("flush", None)
        except RefusedError as error:
            faults.append(f"vmem flush was refused: {error}")
        soak.resident.stop()
        deadline = time.monotonic() + 20
        while soak.resident.lives():
            if time.monotonic() > deadline:
                faults.append(f"residents do not end: {soak.resident.lives()}")
                break
            time.sleep(0.02)
    wait_for_orphans(soak.root)
    with Vault.open(soak.root) as vault:
        vault.upkeep.settle()
    return faults


def _not_committed(soak: Soak) -> list[str]:
    """What git says is changed and is not the person's; then they commit theirs, and nothing is left."""
    root = soak.root
    faults = checks.uncommitted(soak.known, look(root).status, theirs=f"{PERSONS}/")
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "--allow-empty", "-m", "the end")
    return faults + [f"git status in the end: {state} {path}" for path, state in look(root).status.items()]


def versions_in_history(root: Path) -> dict[str, set[str]]:
    """The sha256 of all contents that each Markdown file has had in a commit that HEAD can reach."""
    blobs: dict[str, set[str]] = {}
    for line in run_git(root, "rev-list", "--objects", "HEAD").splitlines():
        blob, _, path = line.partition(" ")
        if path.endswith(".md"):
            blobs.setdefault(blob, set()).add(path)
    done = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=root, input="\n".join(blobs).encode() + b"\n",
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    found: dict[str, set[str]] = {}
    at = 0
    while at < len(done):
        end = done.index(b"\n", at)
        blob, _, size = done[at:end].decode().split()
        content = done[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
        for path in blobs[blob]:
            found.setdefault(path, set()).add(hashlib.sha256(content).hexdigest())
    return found


def _commits(root: Path) -> set[str]:
    return set(run_git(root, "rev-list", "HEAD").splitlines())


def _odd_names(root: Path) -> list[str]:
    """Names in history that nobody meant to commit, such as temporary files."""
    names = set(run_git(root, "log", "--format=", "--name-only", "--no-renames", "HEAD").splitlines()) - {""}
    return [
        f"{name} was committed once"
        for name in sorted(names)
        if not name.endswith(".md") and not name.startswith(f"{PERSONS}/") and name not in KEPT_OUT
    ]


def _sockets(root: Path) -> list[str]:
    """What is left where a resident of the vault listens."""
    return [place for place in door.places_of(str(root)) if Path(place).exists()]


def _not_found(soak: Soak, vault: Vault, spared: set[str]) -> list[str]:
    """Memories that their own word does not find, and removed ones that it does."""
    faults = []
    for memory in soak.known.memories.values():
        if memory.doubtful or memory.may_be or memory.path in spared:
            continue
        found = {hit.entry.path for hit in vault.person.search(memory.last.token).hits}
        if (memory.last.sha is not None) != (memory.path in found):
            faults.append(f"at the end {memory.path} is {'' if memory.path in found else 'not '}found")
    return faults


def in_words(soak: Soak) -> str:
    """What was done, and how much of it."""
    told = {
        "kills": dict(sorted(soak.killed.items())),
        "memories": sum(one.last.sha is not None for one in soak.known.memories.values()),
        "did": dict(sorted(soak.known.counts.items())),
        "git tried again": dict(soak.person.git.again),
    }
    return "\n".join(f"{what}: {json.dumps(value)}" for what, value in told.items())
