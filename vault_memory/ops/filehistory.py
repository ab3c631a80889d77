"""The changes that commits made to files, each file followed to where it lies now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from vault_memory.errors import RevisionNotFoundError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Revision
from vault_memory.model.takeback import Change, State, Version
from vault_memory.ports import Ports, Progress

GONE = "\0"
"""A file that lies nowhere now, and whose name another one has: this, then the commit and its name."""


class Touch(NamedTuple):
    """A commit touched a file, which now lies at `file`; it lay at `old` before and at `new` after it."""

    file: str
    revision: Revision
    old: str
    new: str


def touches(revisions: Iterable[Revision]) -> list[Touch]:
    """Each file that each of these commits touched; the newest comes first, as the commits do.

    The commits must say what they moved, and none between them may be missing."""
    lies_at: dict[str, str] = {}
    found: list[Touch] = []
    for revision in revisions:
        moved = dict(revision.moved)
        left = {old: lies_at.get(new, new) for new, old in moved.items()}
        for path in revision.paths:
            if path in moved:
                found.append(Touch(lies_at.get(path, path), revision, moved[path], path))
            elif path not in left:
                found.append(Touch(lies_at.get(path, path), revision, path, path))
        # Before this commit something else lay where a file came to lie, if anything did.
        lies_at.update({new: f"{GONE}{revision.commit}:{new}" for new in moved if new not in left})
        lies_at.update(left)
    return found


class Story(NamedTuple):
    """All that happened to a file since the first commit that is to be taken back, the oldest first.

    `cut` is whether what was there before that is not in this clone."""

    changes: list[Change]
    cut: bool


def stories(
    ports: Ports, found: Iterable[Touch], is_taken: Callable[[Touch], bool], *, progress: Progress
) -> dict[str, Story]:
    """What happened to each file that something is to be taken back of. `found` is as `touches` has it."""
    begun: dict[str, Story] = {}
    rows = list(found)[::-1]
    wanted = {one.file for one in rows if is_taken(one)}
    rows = [one for one in rows if one.file in wanted]
    for done, one in enumerate(rows, 1):
        taken = is_taken(one)
        if taken and one.file not in begun:
            begun[one.file] = Story([], one.revision.cut)
        if one.file in begun:
            begun[one.file].changes.append(_change(ports, one, taken))
        if done % _OFTEN == 0:
            progress("reading history", done, len(rows))
    return begun


_OFTEN = 200


def _change(ports: Ports, one: Touch, taken: bool) -> Change:
    revision = one.revision
    return Change(
        _version(ports, f"{revision.commit}^", one.old),
        None if one.new in revision.removed else _version(ports, revision.commit, one.new),
        taken,
        revision.agent or revision.author,
        revision.commit,
        revision.op,
        revision.undoes,
    )


def _version(ports: Ports, commit: str, path: str) -> State:
    try:
        content = ports.history.bytes_at(commit, VaultPath(path))
    except RevisionNotFoundError:  # it is the first one of all, or a shallow clone ends here
        return None
    return Version(VaultPath(path), content) if content is not None else None
