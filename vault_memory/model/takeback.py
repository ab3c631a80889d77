"""What a file is without some of its changes: those of all others stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from vault_memory.model.merging.apart import merge_apart
from vault_memory.model.merging.memory import merge
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Op

MECHANICAL = frozenset({Op.FIX, Op.MOVE})
"""Operations that bring a file nothing of what somebody has to say."""
_TAKE_BACK = frozenset({Op.UNDO, Op.REVERT})


class Version(NamedTuple):
    """A file as it is at some time."""

    path: VaultPath
    content: bytes


State = Version | None
"""`None` where there is no file."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit did to a file. `taken` is whether it is to be taken back."""

    before: State
    after: State
    taken: bool
    by: str
    commit: str = ""
    op: Op | None = None
    undoes: str | None = None


class Without(NamedTuple):
    """A file without what was taken back. `by` are those whose later changes kept some of that in it."""

    state: State
    by: tuple[str, ...] = ()


class _Merged(NamedTuple):
    state: State
    clean: bool = True


def without(changes: Sequence[Change], now: State) -> Without:
    """The file as it is now without the changes that are to be taken back, given all of them from the first
    such one on, the oldest first.

    Where they follow one on another, the changes that stay are made anew on what was there before; else
    each one is taken out of what is there now. Where somebody has since changed the very same, theirs stays.
    """
    left = _cancelled(changes)
    first = next((at for at, one in enumerate(left) if one.taken), None)
    if first is None:
        return Without(now)
    left = left[first:]
    return _made_anew(left) if _in_line(left, now) else _taken_out(left, now)


def _cancelled(changes: Sequence[Change]) -> list[Change]:
    """The changes but for those that were undone at once, and for what undid them; the last undoing counts
    first, since it may have undone another. Of what is to be taken back, whatever brought back the file
    as it was has undone it."""
    left: list[Change] = []
    for one in reversed(changes):
        later = left[-1] if left else None
        undone = later is not None and (one.taken or (later.op in _TAKE_BACK and later.undoes == one.commit))
        if undone and later is not None and (later.after, later.before) == (one.before, one.after):
            left.pop()
        else:
            left.append(one)
    return left[::-1]


def _in_line(changes: Sequence[Change], now: State) -> bool:
    """Whether each begins with what the one before it left, and the last left what is there now."""
    followed = [*(one.before for one in changes[1:]), now]
    return all(one.after == after for one, after in zip(changes, followed, strict=True))


def _made_anew(changes: Sequence[Change]) -> Without:
    state, by = changes[0].before, []
    taken = {one.after for one in changes if one.taken}
    for one in changes:
        if one.taken:
            continue
        fresh = state is None and one.before is not None
        if fresh and (one.op in MECHANICAL or one.after in taken):
            continue  # a file that would not be there, and of which nobody else has written anything
        state, clean = _merged(one.before, one.after, state)
        if not clean:
            by.append(one.by)
    return Without(state, tuple(dict.fromkeys(by)))


def _taken_out(changes: Sequence[Change], now: State) -> Without:
    state, by = now, []
    for at in reversed(range(len(changes))):
        one = changes[at]
        if one.taken:
            state, clean = _merged(one.after, state, one.before)
            if not clean:
                by += [later.by for later in changes[at:] if not later.taken] or [_SOMEBODY]
    return Without(state, tuple(dict.fromkeys(by)))


_SOMEBODY = "a merge"
"""Who has changed what no commit on its way has."""


def _merged(base: State, ours: State, theirs: State) -> _Merged:
    """What becomes of a file to which both have done something; where they did otherwise, ours."""
    if theirs in (base, ours):
        return _Merged(ours)
    if ours == base:
        return _Merged(theirs)
    if ours is None:
        return _Merged(None)  # who took it away has the last word
    if theirs is None and base is not None and ours.content == base.content:
        return _Merged(None)  # it only lies elsewhere
    if theirs is None or base is None or any(b"\0" in one.content for one in (base, ours, theirs)):
        return _Merged(ours, clean=False)
    path = theirs.path if ours.path == base.path else ours.path
    found = merge(ours.path, base.content, ours.content, theirs.content, lines=merge_apart, marked=False)
    return _Merged(Version(path, found.content), found.clean)
