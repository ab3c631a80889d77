"""Branches, here and as they were fetched, that hold commits which HEAD does not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from vault_memory.adapters.git.cli import GitProgram
from vault_memory.model.branches import Branch

if TYPE_CHECKING:
    from vault_memory.adapters.git.opened import Opened

_HERE = "refs/heads/"
_FETCHED = "refs/remotes/"


def unmerged(opened: Opened, prefix: str) -> list[Branch]:
    """By libgit2: those whose names begin so."""
    import pygit2

    repo, head = opened.repo, opened.tip()
    if head is None:
        return []
    tips: list[tuple[str, pygit2.Oid, str | None]] = []
    remotes = [name for name in repo.remotes.names() if name]
    for raw in repo.raw_listall_references():
        ref = os.fsdecode(raw)
        named = _named(ref, prefix, remotes)
        if named is not None:
            tips.append((named[0], repo.references[ref].peel(pygit2.Commit).id, named[1]))
    if not tips:
        return []
    walk = repo.walk(None)  # one for all: each would go as far back as the oldest of them
    for _, tip, _ in tips:
        walk.push(tip)
    walk.hide(pygit2.Oid(hex=head))
    open_ones = {commit.id for commit in walk}
    return _in_order(Branch(name, str(tip), remote=remote) for name, tip, remote in tips if tip in open_ones)


def unmerged_by_git(git: GitProgram, prefix: str) -> list[Branch]:
    """The same by git."""
    if not git.run("rev-parse", "--quiet", "--verify", "HEAD^{commit}").ok:
        return []
    remotes = os.fsdecode(git.get("remote")).split()
    form = "--format=%(refname)%00%(objectname)"
    listed = os.fsdecode(git.get("for-each-ref", form, "--no-merged=HEAD", _HERE + prefix, _FETCHED))
    return _in_order(_of_lines(listed.split("\n"), prefix, remotes))


def _of_lines(lines: Iterable[str], prefix: str, remotes: Iterable[str]) -> Iterator[Branch]:
    for line in lines:
        ref, _, tip = line.partition("\0")
        named = _named(ref, prefix, remotes)
        if named is not None:
            yield Branch(named[0], tip, remote=named[1])


def _named(ref: str, prefix: str, remotes: Iterable[str]) -> tuple[str, str | None] | None:
    """(name, remote) of a branch that is asked for."""
    if ref.startswith(_HERE + prefix):
        return ref.removeprefix(_HERE), None
    if not ref.startswith(_FETCHED):
        return None
    for remote in remotes:
        if ref.startswith(f"{_FETCHED}{remote}/{prefix}"):
            return ref.removeprefix(f"{_FETCHED}{remote}/"), remote
    return None


def _in_order(found: Iterable[Branch]) -> list[Branch]:
    return sorted(found, key=lambda one: (one.name, one.remote or ""))
