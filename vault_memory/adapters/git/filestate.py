"""How one file stands between HEAD, git's index and the working tree."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pygit2

from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.conversion import converted
from vault_memory.adapters.git.foreign import UNMERGED
from vault_memory.adapters.git.gitindex import staged_entry, stat_matches
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.trees import TreeFiles, root_of
from vault_memory.adapters.git.working import Working, look_at, read_working
from vault_memory.model.revision import FileState

_AT_ONCE = 200
"""Paths of one command line."""


def judge(head: str | None, index: str | None, working: str | None) -> FileState:
    """The state for the blobs of the three places, `None` where the place has no such file."""
    if working is None:
        return FileState.MISSING
    if head is None and index is None:
        return FileState.UNTRACKED
    if head == index == working:
        return FileState.CLEAN
    return FileState.MODIFIED if index in (head, working) and index is not None else FileState.PARTLY_STAGED


def file_states(opened: Opened, paths: Sequence[str]) -> dict[str, FileState]:
    """By libgit2. `paths` are the repository's names for the files."""
    head = TreeFiles(opened.repo, root_of(opened.repo, opened.tip()))
    index = opened.repo.index
    index.read(False)
    unmerged = index.conflicts or ()
    return {path: _file_state(opened, head, index, path, unmerged=path in unmerged) for path in paths}


def _file_state(
    opened: Opened, head: TreeFiles, index: pygit2.Index, path: str, *, unmerged: bool
) -> FileState:
    full = opened.place.absolute(path)
    stat = look_at(full)
    if stat is None:
        return FileState.MISSING
    staged: str | None = None
    if unmerged:
        staged = UNMERGED
    elif (entry := staged_entry(index, path)) is not None:
        staged = str(entry.oid)
    there = head.entry(path)
    committed = str(there.oid) if there is not None else None
    if staged is not None and stat_matches(index, opened.index.live, path, stat):
        return judge(committed, staged, staged)
    working = read_working(full)
    return judge(committed, staged, _blob(opened, path, working) if working is not None else None)


def _blob(opened: Opened, path: str, working: Working) -> str:
    """The blob that the working file would become."""
    if converted(opened.repo, opened.settings, path, working.content) is None:
        return str(pygit2.hash(working.content))
    try:
        return hash_by_git(opened.git, path, working.content)
    except GitRefusedError:  # no git or a failing filter: the plain bytes are the best word there is
        return str(pygit2.hash(working.content))


def hash_by_git(git: GitProgram, path: str, content: bytes) -> str:
    """The blob that git would make of these bytes at this path, without writing it."""
    return git.get("hash-object", "--stdin", f"--path={path}", stdin=content).decode().strip()


def states_by_git(git: GitProgram, place: Place, paths: Sequence[str]) -> dict[str, FileState]:
    """The same by the git program, for repositories that libgit2 can't open."""
    found: dict[str, FileState] = {}
    born = git.run("rev-parse", "--quiet", "--verify", "HEAD^{commit}").ok
    for at in range(0, len(paths), _AT_ONCE):
        some = paths[at : at + _AT_ONCE]
        head = _blobs(git.get("ls-tree", "-z", "HEAD", "--", *some), 2) if born else {}
        index = _blobs(git.get("ls-files", "--stage", "-z", "--", *some), 1)
        for path in some:
            working = read_working(place.absolute(path))
            blob = hash_by_git(git, path, working.content) if working is not None else None
            found[path] = judge(head.get(path), index.get(path), blob)
    return found


def _blobs(listed: bytes, column: int) -> Mapping[str, str]:
    """The blob of each path that git listed; of one with several entries, that it is unmerged."""
    blobs: dict[str, str] = {}
    for line in listed.split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        blobs[path] = UNMERGED if path in blobs else facts.split()[column].decode()
    return blobs
