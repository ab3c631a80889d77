"""What must hold of a vault once all is quiet, by what was acknowledged: pure, so that it can be tried."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from tests.crash.ledger import is_whole
from tests.soak.known import PERSON, Known, Memory, Version

LAG = 15.0
"""Seconds within which what was told early must be in git, however busy the machine."""


Versions = Mapping[str, AbstractSet[str]]
"""The sha256 of all that history has of each path."""


def files_as_told(
    known: Known, files: Mapping[str, bytes], spared: AbstractSet[str] = frozenset()
) -> list[str]:
    """What is not as it was acknowledged last, but for those that are `spared`."""
    faults = []
    for memory in known.memories.values():
        content = files.get(memory.path)
        sha = _sha(content)
        if sha == memory.last.sha or memory.path in spared:
            continue
        if content is None and None in memory.may_be:
            continue
        if content is not None and any(token and is_whole(content, token) for token in memory.may_be):
            continue
        was = [number for number, one in enumerate(memory.versions) if one.sha == sha]
        found = "gone" if content is None else f"its version {was[-1]}" if was else "something else"
        faults.append(f"{memory.path} is {found}, and not {_said(memory)}")
    return faults


def set_back(
    known: Known, files: Mapping[str, bytes], versions: Versions, commits: AbstractSet[str]
) -> set[str]:
    """Memories that are as they were before, by a stash of the person's that took a commit for its reverse
    (`Known.at_the_stash`) or by the person's word. What was acknowledged is in history all the same."""
    found = set()
    for memory in known.memories.values():
        sha = _sha(files.get(memory.path))
        before = {None, *(version.sha for version in memory.versions)}
        held = memory.last.commit in commits or any(
            memory.last.sha in versions.get(path, ()) for path in {memory.path, *memory.names}
        )
        by_stash = held and known.was_at_the_stash(memory.last.at - LAG, memory.last.at + LAG)
        if sha != memory.last.sha and sha in before and (by_stash or memory.decided):
            found.add(memory.path)
    return found


def answers(known: Known, spared: AbstractSet[str]) -> list[str]:
    """Answers that were wrong, but about memories that are `spared`."""
    return [miss for memory, miss in known.misses if memory.path not in spared]


def nothing_else(known: Known, files: Mapping[str, bytes]) -> list[str]:
    """Files that nobody told of: a killed write may have left one, whole, and no second one."""
    faults = []
    untold = {path: content for path, content in files.items() if path not in known.memories}
    for token in sorted(known.unsure):
        found = [path for path, content in files.items() if token.encode() in content]
        if len(found) > 1 or not all(is_whole(files[path], token) for path in found):
            faults.append(f"the killed memory {token} is in {found}")
        for path in found:
            untold.pop(path, None)
    return faults + [f"nobody wrote {path}" for path in sorted(untold)]


def each_once(known: Known, files: Mapping[str, bytes]) -> list[str]:
    """Memories whose text lies in more files than one."""
    places: dict[bytes, list[str]] = {}
    for path, content in files.items():
        places.setdefault(content.rpartition(b"\n---\n")[2], []).append(path)
    return [f"the same text lies in {paths}" for paths in places.values() if len(paths) > 1]


def history_holds(known: Known, versions: Versions, commits: AbstractSet[str]) -> list[str]:
    """What must be in history and is not."""
    faults = []
    for memory in known.memories.values():
        for number, version in enumerate(memory.versions):
            after = memory.versions[number + 1] if number + 1 < len(memory.versions) else None
            if version.sha is None or not _is_owed(known, memory, version, after):
                continue
            if not any(version.sha in versions.get(path, ()) for path in {memory.path, *memory.names}):
                faults.append(f"version {number} of {memory.path} ({_said(memory, version)}) is in no commit")
    # A person who rebases writes the commits on their branch anew.
    return faults + [
        f"commit {version.commit} of {memory.path} was acknowledged and is gone"
        for memory in known.memories.values()
        for version in memory.versions
        if version.commit and version.commit not in commits and not _near_away(known, version.at)
    ]


def uncommitted(known: Known, status: Mapping[str, str], *, theirs: str) -> list[str]:
    """What git calls changed, by path, and should not: a person's saves are theirs to commit, and what
    their git had put away and brought back; `theirs` is the folder that is all the person's."""
    free: set[str] = set()
    for memory in known.memories.values():
        if memory.last.by == PERSON or known.is_away(memory.last.at - LAG, memory.last.at + LAG):
            free |= {memory.path, *memory.names}
    return [
        f"git status: {state[:4]} {path}"
        for path, state in status.items()
        if path not in free and not path.startswith(theirs)
    ]


def _sha(content: bytes | None) -> str | None:
    return hashlib.sha256(content).hexdigest() if content is not None else None


def _is_owed(known: Known, memory: Memory, version: Version, after: Version | None) -> bool:
    """Whether a version must be in history, though it may have been replaced since."""
    until = after.at if after is not None else float("inf")
    if version.commit is not None:
        return True
    if memory.decided:
        return False
    if known.is_away(version.at - LAG, min(until, version.at + LAG)) and after is not None:
        return False  # the person's git had it in hand
    if after is None and known.was_at_the_stash(version.at - LAG, version.at + LAG):
        return False  # put away before it was committed, and brought back as the person's: it is in the file
    if version.by == PERSON:
        # vmem keeps it before it changes the file; a second save of the person's replaces it for good.
        return after is not None and after.by != PERSON and after.at - version.at > 0
    return after is None or until - version.at > LAG


def _near_away(known: Known, at: float) -> bool:
    return any(begun - LAG <= at <= ended + LAG for begun, ended in known.away)


def _said(memory: Memory, version: Version | None = None) -> str:
    one = version or memory.last
    what = "removed" if one.sha is None else "written"
    return f"as {one.by} left it: {what}{', told early' if one.early else ''}, {one.token}"


def flat(weights: Sequence[tuple[float, int, int]], *, megabytes: float = 60.0) -> tuple[str, list[str]]:
    """How one resident grew: weights are (seconds, kilobytes, memories in the vault), in order.

    What it holds of each memory may grow, so 40 KB a new memory are free; the first third is its start."""
    late = weights[len(weights) // 3 :]
    if len(late) < 2:
        return "too short a life to tell", []
    (begun, small, few), (ended, large, many) = late[0], late[-1]
    grown, free = (large - small) / 1024, 40 * max(many - few, 0) / 1024
    told = f"{grown:+.1f} MB in {ended - begun:.0f} s, {many - few} memories more; now {large / 1024:.0f} MB"
    return told, [f"the resident grows: {told}"] if grown > megabytes + free else []
