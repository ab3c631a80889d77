"""Whether another git is at work in the repository, or was a moment ago."""

from __future__ import annotations

import os

from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.recent import Record, key_of
from vault_memory.adapters.git.refs import final_ref, read_ref
from vault_memory.adapters.git.state import head_ref

MOMENT_NS = 200_000_000
"""So long after its last trace git may still be about to write: `git commit` moves the branch after it has
written the index, and a rebase has many such steps."""


def busy(place: Place, record: Record, now_ns: int) -> bool:
    """Whether one of git's locks is held, or what is not our doing changed within a moment.

    Our own last commit left the index and the tip that `record` holds."""
    index, head = os.path.join(place.gitdir, "index"), os.path.join(place.gitdir, "HEAD")
    if os.path.lexists(index + ".lock") or os.path.lexists(head + ".lock"):
        return True
    key = key_of(index)
    if key is not None and key != record.index and _just_now(key[2], now_ns):
        return True
    # A merge, a rebase and a reset begin with the second of these.
    for name in (head, os.path.join(place.gitdir, "ORIG_HEAD")):
        found = key_of(name)
        if found is not None and _just_now(found[2], now_ns):
            return True
    ref = head_ref(place)
    if ref is None:
        return False
    branch = final_ref(place, ref)
    path = os.path.join(place.commondir, branch)
    if os.path.lexists(path + ".lock"):
        return True
    moved = key_of(path)
    recent = moved is not None and _just_now(moved[2], now_ns)
    return recent and read_ref(place, branch) != record.tip


def _just_now(changed_ns: int, now_ns: int) -> bool:
    return abs(now_ns - changed_ns) < MOMENT_NS
