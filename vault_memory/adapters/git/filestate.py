"""How one file stands between HEAD, git's index and the working tree."""

from __future__ import annotations

import pygit2

from vault_memory.adapters.git.cli import GitProgram, GitRefusedError
from vault_memory.adapters.git.conversion import converted
from vault_memory.adapters.git.gitindex import staged_entry, stat_matches
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.trees import entry_at, root_of
from vault_memory.adapters.git.working import Working, read_working
from vault_memory.model.revision import FileState

UNMERGED = "unmerged"
"""Stands for the blob of a path with an unresolved conflict: like no other."""


def judge(head: str | None, index: str | None, working: str | None) -> FileState:
    """The state for the blobs of the three places, `None` where the place has no such file."""
    if working is None:
        return FileState.MISSING
    if head is None and index is None:
        return FileState.UNTRACKED
    if head == index == working:
        return FileState.CLEAN
    return FileState.MODIFIED if index in (head, working) and index is not None else FileState.PARTLY_STAGED


def file_state(opened: Opened, path: str) -> FileState:
    """By libgit2. `path` is the repository's name for the file."""
    full = opened.place.absolute(path)
    working = read_working(full)
    if working is None:
        return FileState.MISSING
    head = entry_at(opened.repo, root_of(opened.repo, opened.tip()), path)
    index = opened.repo.index
    index.read(False)
    staged: str | None = None
    if path in (index.conflicts or ()):
        staged = UNMERGED
    elif (entry := staged_entry(index, path)) is not None:
        staged = str(entry.oid)
    if staged is not None and stat_matches(index, opened.index.live, path, working.stat):
        return judge(str(head.oid) if head else None, staged, staged)
    return judge(str(head.oid) if head else None, staged, _blob(opened, path, working))


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


def state_by_git(git: GitProgram, path: str, full: str) -> FileState:
    """The same by the git program, for repositories that libgit2 can't open."""
    working = read_working(full)
    if working is None:
        return FileState.MISSING
    head = None
    if git.run("rev-parse", "--quiet", "--verify", "HEAD^{commit}").ok:
        listed = git.get("ls-tree", "-z", "HEAD", "--", path)
        head = listed.split()[2].decode() if listed else None
    lines = git.get("ls-files", "--stage", "-z", "--", path).split(b"\0")[:-1]
    index = UNMERGED if len(lines) > 1 else lines[0].split()[1].decode() if lines else None
    return judge(head, index, hash_by_git(git, path, working.content))
