"""What a vault stands on: repository, disk and machine, as they were found."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.revision import Author


@dataclass(frozen=True, slots=True)
class GitLock:
    """Git's lock on its index, which stands while somebody commits, or since a git was killed."""

    path: str
    since_ns: int
    """When it was taken, in nanoseconds since 1970."""
    ours: bool
    """Whether it is proved to be a vmem's."""


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """Git as the vault finds it."""

    version: str | None
    """Of the git program, `None` where there is none."""
    person: Author | None
    """Who commits, `None` where git would have to guess."""
    signs: bool
    hooks: tuple[str, ...]
    """The person's hooks that a commit runs, in order of their names."""
    lock: GitLock | None


@dataclass(frozen=True, slots=True)
class Upstream:
    """The branch that the one checked out follows, as it was when git last asked the other side."""

    name: str
    ahead: int
    """Commits that it does not have."""
    behind: int


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """The disk that a vault lies on, and its folder `.vmem/local/`."""

    file_system: str | None
    """Its type, `None` where the system does not tell."""
    free_bytes: int
    local_mode: int | None
    """The permission bits of the local folder, `None` where there is none or they mean nothing."""
    leftovers: int
    """Temporary files of vmems that were killed."""
    watches: int | None
    """How many folders one person may have watched, `None` where there is no such limit."""
    instances: int | None
    """How many programs may watch at a time."""
