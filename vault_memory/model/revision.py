"""Operations on their way into git, and revisions on their way out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import overload

from vault_memory.model.namespace import Scope, VaultPath


class Op(StrEnum):
    """What was done to a memory; the value of the `Vmem-Op` trailer and of the subject's prefix."""

    REMEMBER = "remember"
    EDIT = "edit"
    FORGET = "forget"
    RESTORE = "restore"
    UNDO = "undo"
    REVERT = "revert"
    """What takes back older commits, with all that came since left as it is."""
    GC = "gc"
    """The removal of what has expired."""
    DEDUPE = "dedupe"
    """The merge of memories that said the same."""
    MOVE = "move"
    LINK = "link"
    FIX = "fix"
    """What `vmem lint --fix` changed."""
    REVIEW = "review"
    """A person's word on a proposal: its merge, and what is taken back of it before."""
    PERSON = "keep"
    """A person's own uncommitted version, committed as theirs before vmem touches the file."""


SEVERAL = frozenset({Op.UNDO, Op.REVERT, Op.GC, Op.DEDUPE, Op.MOVE, Op.LINK, Op.FIX})
"""The operations whose commit may hold several files."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who a commit is by; `None` fields of an operation's author mean the person's git identity."""

    name: str
    email: str


def agent_author(agent: str) -> Author:
    """The author line of an agent's commits: `akashi <akashi@agents.invalid>`."""
    return Author(agent, f"{agent}@agents.invalid")


def author_of(scope: Scope) -> Author | None:
    """The author of what a scope writes; `None` is the person."""
    return agent_author(scope.agent) if scope.agent is not None else None


@overload
def version_of(content: bytes) -> str: ...


@overload
def version_of(content: bytes | None) -> str | None: ...


def version_of(content: bytes | None) -> str | None:
    """What tells one version of a file from another: the sha256 of its bytes, `None` for no file."""
    return None if content is None else hashlib.sha256(content).hexdigest()


def short(commit: str) -> str:
    """So much of a commit's hash as is shown to people."""
    return commit[:_SHORT]


_SHORT = 7


@dataclass(frozen=True, slots=True)
class Operation:
    """One commit to be, or one file's part in it: new bytes (`version` = their sha256) or removal (`None`).

    `author=None` is the person. `before` is the sha256 of the bytes that it replaces, `None`
    where the file is new. The message is built by `model/message.py`.
    """

    op: Op
    path: VaultPath
    version: str | None
    before: str | None
    message: str
    author: Author | None
    batch: str | None = None
    """Operations that follow one another with the same batch make one commit, with one message."""


@dataclass(frozen=True, slots=True)
class Intent:
    """An operation written to the journal before its file; open until it is in a commit."""

    number: int
    operation: Operation
    branch: str | None
    """The ref HEAD pointed to when the intent was written (`refs/heads/main`), if any."""
    at: datetime
    reason: str | None = None
    """Why it was not committed when that was last tried, in words for a person."""


EDITED_SINCE = "edited since; commit it yourself or let the next vmem edit keep it"
FILE_IS_BACK = "the file is there again; forget it once more, or commit it yourself"
"""Reasons in `CommitReport.waiting` after which the operation itself can never be committed."""


@dataclass(frozen=True, slots=True)
class CommitReport:
    """What became of operations: each number's commit (full hex), or why they wait.

    `unversioned` are numbers whose path git ignores: they will never be committed.
    """

    commits: dict[int, str]
    waiting: dict[int, str]
    unversioned: dict[int, str]


@dataclass(frozen=True, slots=True)
class ThrownAway:
    """One file of a commit that git has taken out of history again without anybody's wish."""

    commit: str
    op: Op
    path: VaultPath
    content: bytes | None
    """What the commit left, as a checkout writes it; `None` for a removal."""
    before: str | None
    """The version of what HEAD has in its place, `None` for nothing."""
    message: str
    author: Author


class FileState(StrEnum):
    """How a file stands between HEAD, git's index and the working tree."""

    UNTRACKED = "untracked"
    CLEAN = "clean"
    MODIFIED = "modified"
    """The working file differs from HEAD, and the index holds HEAD's or the working version."""
    PARTLY_STAGED = "partly staged"
    """The index holds a version that is neither HEAD's nor the working one."""
    MISSING = "missing"
    """Nothing in the working tree."""
    UNKNOWN = "unknown"
    """No repository to ask."""


@dataclass(frozen=True, slots=True)
class Unstaged:
    """The vault's Markdown files that differ from HEAD."""

    free: tuple[VaultPath, ...]
    """Those of which nothing is staged: git's index holds HEAD's version, or nothing of a new one."""
    staged: tuple[VaultPath, ...]
    """Those of which something is, or that a merge left unresolved: somebody is preparing a commit."""


@dataclass(frozen=True, slots=True)
class RepoState:
    """The repository as far as a commit cares. `blocked` says why none can be made now."""

    exists: bool
    branch: str | None
    head: str | None
    blocked: str | None
    workdir: str | None = None


def branch_name(ref: str | None) -> str:
    """A branch as people say it: `main` for `refs/heads/main`."""
    return (ref or "(none)").removeprefix("refs/heads/")


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit that touched memories."""

    commit: str
    author: str
    email: str
    when: datetime
    subject: str
    op: Op | None
    memory_id: str | None
    agent: str | None
    paths: tuple[str, ...]
    undoes: str | None = None
    cut: bool = False
    """Whether the commits before this one are missing here, as at the end of a shallow clone."""
    removed: frozenset[str] = frozenset()
    """Those of the paths that it left without a file."""
    moved: tuple[tuple[str, str], ...] = ()
    """(new path, old path) of what lies elsewhere since it, where that was asked for."""
