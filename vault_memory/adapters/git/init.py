"""Making the repository of a new vault."""

from __future__ import annotations

from pathlib import Path

from vault_memory.errors import GitCommandError


def init_repository(path: Path) -> str:
    """Make a git repository there, without a commit; the name of its branch (`init.defaultBranch` or main).

    Raises `GitCommandError`."""
    import pygit2
    from pygit2.enums import RepositoryInitFlag

    from vault_memory.adapters.git.settings import Settings

    flags = RepositoryInitFlag.MKPATH | RepositoryInitFlag.NO_REINIT
    try:
        repo = pygit2.init_repository(str(path), flags=flags, initial_head=None)
        branch = Settings(repo).text("init.defaultBranch") or "main"
        repo.set_head(f"refs/heads/{branch}")
    except (pygit2.GitError, ValueError, OSError) as error:
        raise GitCommandError("init", str(error)) from error
    return branch
