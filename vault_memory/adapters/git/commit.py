"""The fast road: a chain of commits built with libgit2 from HEAD's tree, each of its own files alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import FileMode

from vault_memory.adapters.git import identity
from vault_memory.adapters.git.gitindex import Staging
from vault_memory.adapters.git.landing import Landing
from vault_memory.adapters.git.opened import Opened
from vault_memory.adapters.git.plan import Part, Step
from vault_memory.adapters.git.refs import Move, MovedError
from vault_memory.adapters.git.trees import (
    Entry,
    TreeFiles,
    empty_tree,
    last_change,
    root_of,
    with_files,
)
from vault_memory.model.revision import Author

if TYPE_CHECKING:
    from pygit2 import Oid, Repository


@dataclass(slots=True)
class Stagings:
    """Collects what the index is to hold after a chain of steps on top of one tree."""

    base: TreeFiles
    made: dict[str, Staging] = field(default_factory=dict)
    commits: dict[str, str] = field(default_factory=dict)
    """The commit that brings each path's entry."""

    def add(self, part: Part, entry: Entry | None, commit: str) -> None:
        """Note a path's newest entry; those it has passed through count as ours to replace."""
        path = part.path
        before = self.made.get(path)
        head = self.base.entry(path)
        over = set(before.over) if before else set()
        over.update(known.oid for known in (head, before.entry if before else None, entry) if known)
        working = part.working
        stat, version = (working.stat, working.version) if working is not None else (None, None)
        self.made[path] = Staging(entry, stat, frozenset(over), head is None, version)
        self.commits[path] = commit


def mode_of(opened: Opened, part: Part, head: Entry | None) -> int:
    """The mode git would record for a file."""
    if opened.settings.flag("core.fileMode") is False:
        known = head is not None and head.mode in (FileMode.BLOB, FileMode.BLOB_EXECUTABLE)
        return head.mode if head is not None and known else int(FileMode.BLOB)
    executable = part.working is not None and bool(part.working.stat.st_mode & 0o100)
    return int(FileMode.BLOB_EXECUTABLE if executable else FileMode.BLOB)


def branch_of(opened: Opened) -> str:
    """The ref that a commit moves. Raises `MovedError` where a rebase detached HEAD since that was asked."""
    ref = opened.branch()
    if ref is None:
        raise MovedError
    return ref


def build(
    opened: Opened,
    tip: str | None,
    steps: Sequence[Step],
    entries: Mapping[str, Entry],
    person: Author,
    now: datetime,
) -> Landing:
    """Commits for the steps on top of `tip`. `entries` gives each path's entry where it stays a file."""
    repo = opened.repo
    ref = branch_of(opened)
    committer = identity.signature(person, now)
    tree = base = root_of(repo, tip)
    head = tip
    commits: dict[int, str] = {}
    stagings = Stagings(TreeFiles(repo, base))
    made: list[Oid] = [entry.oid for entry in entries.values()]
    for step in steps:
        files = entries_of(step, entries)
        changed = with_files(repo, tree, files, made)
        if changed == tree and head is not None:
            commits.update(known_commits(repo, head, step))
            continue
        tree = changed
        author = identity.signature(step.author or person, step.at)
        parents: list[str | Oid] = [head] if head is not None else []
        root = tree if tree is not None else empty_tree(repo)
        commit = repo.create_commit(None, author, committer, step.message, root, parents)
        made += [root, commit]
        head = str(commit)
        commits.update(dict.fromkeys(step.closes, head))
        for part in step.parts:
            stagings.add(part, files[part.path], head)
    move = move_to(ref, tip, head, steps, person, now)
    # Two commits may have a tree in common, and its wait for the disk.
    objects = tuple(dict.fromkeys(map(str, made)))
    return Landing(move, stagings.made, commits, objects, stagings.commits)


def entries_of(step: Step, entries: Mapping[str, Entry]) -> dict[str, Entry | None]:
    """What a step leaves at each of its paths. `entries` gives the entry of those where a file stays."""
    return {part.path: entries[part.path] if part.working is not None else None for part in step.parts}


def known_commits(repo: Repository, tip: str, step: Step) -> dict[int, str]:
    """For a step that `tip` holds already, the commits that brought its files."""
    return {number: last_change(repo, tip, part.path) for part in step.parts for number in part.closes}


def move_to(
    ref: str, tip: str | None, head: str | None, steps: Sequence[Step], person: Author, now: datetime
) -> Move | None:
    """The branch's move to the end of a chain, `None` where it has not moved."""
    if head is None or head == tip:
        return None
    more = f" (and {len(steps) - 1} more)" if len(steps) > 1 else ""
    line = f"commit{' (initial)' if tip is None else ''}: {steps[-1].subject}{more}"
    who = f"{person.name} <{person.email}> {int(now.timestamp())} +0000"
    return Move(ref, tip, head, who, " ".join(line.split()))


def raw_entry(opened: Opened, part: Part, head: Entry | None) -> Entry:
    """The entry for a file that git stores as it is; writes its blob."""
    assert part.working is not None
    blob = opened.repo.create_blob(part.working.content)
    return Entry(pygit2.Oid(hex=str(blob)), mode_of(opened, part, head))
