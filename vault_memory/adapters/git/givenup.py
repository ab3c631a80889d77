"""Commits of ours that went with a rebase which a person gave up.

A rebase reads the branch before it leaves it. What is committed in between is no part of it; in the end git
finds that the branch has moved, and `git rebase --abort` sets that back to where the rebase had read it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pygit2

from vault_memory.adapters.git import lookups
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.recent import Recent, Record
from vault_memory.adapters.git.state import is_sequence
from vault_memory.adapters.git.trees import entry_at, root_of
from vault_memory.model.message import parse_trailers
from vault_memory.model.namespace import VaultPath
from vault_memory.model.revision import Author, Op, ThrownAway, version_of

_LATEST = 1 << 18
"""So many bytes at the end of a log are read."""
_BEGINS = re.compile(r"\(start\): checkout ")
_WORDS = "(abort): returning to "
_GIVEN_UP = re.compile(r"\(abort\): returning to (refs/heads/.+)")
_LEFT_FOR = re.compile(r"checkout: moving from .+ to (.+)|\((?:finish|abort)\): returning to refs/heads/(.+)")
_OPS = {op.value: op for op in Op}


class GivenUp(NamedTuple):
    """A rebase that was given up: where HEAD was when it began, and where it was set back to."""

    left: str
    back: str
    branch: str
    was_there: bool
    """Whether HEAD is known to have been on that branch when it began."""


def given_up(log: str) -> list[GivenUp]:
    """Those that a log of HEAD tells of and that did not lead back to where they began."""
    found, left, on = [], None, None
    for old, new, what in _moves(log):
        if _BEGINS.search(what):
            left = old
            continue
        if (back := _GIVEN_UP.search(what)) and left is not None:
            if new != left:
                found.append(GivenUp(left, new, back[1], back[1] == f"refs/heads/{on}"))
            left = None
        if moved := _LEFT_FOR.search(what):
            on = moved[1] or moved[2]
    return found


def thrown_away(opened: Opened, record: Record) -> list[ThrownAway]:
    """The recent commits of ours that such a rebase took out of the branch, and that HEAD has not."""
    place = opened.place
    if not record.items or is_sequence(place):
        return []
    log = _tail(os.path.join(place.gitdir, "logs", "HEAD"))
    rebases = given_up(log) if _WORDS in log else []  # this is asked with each commit
    tip = opened.tip() if rebases else None
    if tip is None:
        return []
    found: list[ThrownAway] = []
    for item in record.items.values():
        if any(_took(opened, one, tip, item.commit) for one in rebases):
            found += _of(opened, tip, item)
    return found


def _took(opened: Opened, rebase: GivenUp, tip: str, commit: str) -> bool:
    """Whether it was made on that branch between the rebase's look at it and its beginning, and is gone."""
    return (
        commit in opened.repo
        and _holds(opened, rebase.left, commit)
        and _holds(opened, commit, rebase.back)
        and commit != rebase.back
        and not _holds(opened, tip, commit)
        # A rebase of another branch than the one that HEAD was on leads elsewhere by itself. The branch's own
        # log is gone with the branch, as where the rebase was done again, merged and the branch deleted.
        and (rebase.was_there or _went_through(opened, rebase.branch, commit))
    )


def _went_through(opened: Opened, branch: str, commit: str) -> bool:
    """Whether the log of a branch has the commit."""
    log = _tail(os.path.join(opened.place.commondir, "logs", branch))
    return any(new == commit for _, new, _ in _moves(log))


def _holds(opened: Opened, tip: str, commit: str) -> bool:
    if tip == commit:
        return True
    return tip in opened.repo and opened.repo.descendant_of(pygit2.Oid(hex=tip), pygit2.Oid(hex=commit))


def _of(opened: Opened, tip: str, item: Recent) -> Iterator[ThrownAway]:
    """What is to come back, unless somebody has made something else of it since."""
    head = entry_at(opened.repo, root_of(opened.repo, tip), item.path)
    same = head.oid in {pygit2.Oid(hex=known) for known in item.over} if head else item.over_absent
    if same:
        yield from told_again(opened, item, version_of(lookups.bytes_at(opened, tip, item.path)))


def told_again(opened: Opened, item: Recent, before: str | None) -> Iterator[ThrownAway]:
    """What a commit of ours did to a file, which is of the version `before` again."""
    place: Place = opened.place
    path = place.note(item.path)
    commit = opened.repo[item.commit]
    assert isinstance(commit, pygit2.Commit)
    op = _OPS.get(parse_trailers(commit.message).get("Vmem-Op", ""))
    if path is None or op is None:
        return
    yield ThrownAway(
        item.commit,
        op,
        VaultPath(path),
        lookups.bytes_at(opened, item.commit, item.path),
        before,
        commit.message,
        Author(commit.author.name, commit.author.email),
    )


def _moves(log: str) -> Sequence[tuple[str, str, str]]:
    """(old, new, what was done) of each line of a log of git's."""
    found = []
    for line in log.splitlines():
        head, _, what = line.partition("\t")
        old, _, rest = head.partition(" ")
        new, _, _ = rest.partition(" ")
        found.append((old, new, what))
    return found


def _tail(file: str) -> str:
    """The end of a log, from the beginning of a line on; nothing where there is none."""
    try:
        with open(file, "rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(0, size - _LATEST))
            text = log.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return text if size <= _LATEST else text.partition("\n")[2]
