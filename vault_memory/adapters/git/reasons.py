"""The words for why an operation waits for its commit, or will never have one."""

from __future__ import annotations

from datetime import UTC, datetime

from vault_memory.model.revision import EDITED_SINCE, FILE_IS_BACK

__all__ = ["EDITED_SINCE", "FILE_IS_BACK"]

NO_REPOSITORY = "no git repository; make one with: git init"
BARE = "the repository is bare: it has no working tree to commit from"
IN_GITDIR = "it lies in a repository's own git directory"
DETACHED = "HEAD is detached; go to a branch with: git switch BRANCH"
NO_IDENTITY = (
    "git does not know who you are; tell it with:"
    ' git config --global user.name "Your Name" and git config --global user.email you@example.com'
)
IGNORED = "git's ignore rules keep it out"
OUTSIDE = "it lies outside the repository's working tree"
NOTHING_TO_REMOVE = "it never was in git, so there is nothing to take out"
DISK_FULL = "the disk that holds the repository is full"
CONFLICTED = "the file has an unresolved merge conflict in git's index"


def not_a_branch(ref: str) -> str:
    """HEAD names something that is no branch."""
    return f"HEAD points to {ref}, which is no branch; go to one with: git switch BRANCH"


def under_way(what: str) -> str:
    """A merge, rebase … has to be finished first."""
    return f"{what} is under way; finish it or abort it"


def not_trusted(folder: str) -> str:
    """Git's own advice for a repository that belongs to somebody else."""
    return (
        f"git does not trust {folder}: it belongs to another user;"
        f" if you do, run: git config --global --add safe.directory {folder}"
    )


def worktree_elsewhere(folder: str) -> str:
    """core.worktree points away from the vault."""
    return f"the repository's working tree is {folder}, by its core.worktree, and not this folder"


def unreadable(why: str) -> str:
    """The repository can't be opened at all."""
    return f"the repository can't be read: {why}"


def nested(folder: str) -> str:
    """The file belongs to a repository inside this one."""
    return f"it lies in another git repository ({folder}/)"


def needs_git(what: str) -> str:
    """Something only the git program can do, and there is none."""
    return f"git is not on PATH, and {what}"


def failed_before(words: str) -> str:
    """Not tried for what happened to the operations before it."""
    return f"not tried, since one before it failed: {words}"


def held(name: str, since: float | None) -> str:
    """A lock that did not go away; `since` in seconds since 1970."""
    when = f" (since {datetime.fromtimestamp(since, UTC):%Y-%m-%d %H:%M:%S} UTC)" if since is not None else ""
    return f"{name} is held{when}; if no git is running, delete it"
