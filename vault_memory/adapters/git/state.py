"""Whether a commit can be made now: where HEAD points, and what is under way."""

from __future__ import annotations

import os

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.locate import Place, content

_SYMBOLIC = b"ref:"

UNDER_WAY = (
    ("MERGE_HEAD", "a merge"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or revert"),
    ("BISECT_LOG", "a bisect"),
)
"""(name in the git directory, what it means); libgit2 and git go by the same files."""


def head_ref(place: Place) -> str | None:
    """The full name of the ref HEAD points to (`refs/heads/main`); `None` when it is detached.

    Raises `OSError` where HEAD can't be read."""
    path = os.path.join(place.gitdir, "HEAD")
    if os.path.islink(path):  # how git before 2005 did it; it is still understood
        target = os.readlink(path)
        return target if target.startswith("refs/") else None
    head = content(path)
    if not head.startswith(_SYMBOLIC):
        return None
    return head.removeprefix(_SYMBOLIC).strip().decode("utf-8", "surrogateescape")


def is_sequence(place: Place) -> bool:
    """Whether a rebase or the like is under way, which writes index and HEAD by turns: a lock of ours would
    stop it in its middle, and what its steps leave out for a moment is nobody's loss."""
    names = (name for name, _ in UNDER_WAY if name != "MERGE_HEAD")
    return any(os.path.lexists(os.path.join(place.gitdir, name)) for name in names)


def blocked(place: Place) -> str | None:
    """Why nothing can be committed now, `None` where it can. Looks at one folder and one file."""
    if place.workdir is None:
        return reasons.BARE
    try:
        there = frozenset(os.listdir(place.gitdir))
    except (FileNotFoundError, NotADirectoryError):
        return reasons.unreadable(f"its git directory {place.gitdir} is not there")
    except OSError:  # it may not be listed; what is in it may be looked at all the same
        there = frozenset(name for name, _ in UNDER_WAY if os.path.lexists(os.path.join(place.gitdir, name)))
    # First: a rebase or bisect detaches HEAD too, and its name says more.
    for name, what in UNDER_WAY:
        if name in there:
            return reasons.under_way(what)
    try:
        ref = head_ref(place)
    except OSError as error:
        return reasons.unreadable(f"HEAD: {error.strerror}")
    if ref is None:
        return reasons.DETACHED
    return None if ref.startswith("refs/heads/") else reasons.not_a_branch(ref)
