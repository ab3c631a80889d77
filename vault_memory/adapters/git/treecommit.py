"""Trees and commits made by the git program alone: no ref is moved, and no index or file is touched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime

from vault_memory.adapters.git import identity, reasons
from vault_memory.adapters.git.asking import index_lines
from vault_memory.adapters.git.cli import DURABLE, GitProgram
from vault_memory.adapters.git.settings import Settings
from vault_memory.errors import GitError
from vault_memory.model.revision import Author

_PLAIN = ("-c", "core.splitIndex=false", "-c", "index.sparse=false", "-c", "core.fsmonitor=false")
"""For an index of our own, that lives for a moment."""


def tree_with(git: GitProgram, tree: str, files: Mapping[str, tuple[str, int] | None]) -> str:
    """The tree with these files, each (blob, mode), and without those that are `None`.

    Raises `GitRefusedError`."""
    with tempfile.TemporaryDirectory(prefix="vmem-tree-") as folder:
        index = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
        lines = index_lines(files, digits=len(tree))
        git.get(*_PLAIN, "read-tree", tree, environment=index)
        git.get(*_PLAIN, "update-index", "-z", "--index-info", stdin=lines, environment=index)
        return git.get(*_PLAIN, *DURABLE, "write-tree", environment=index).decode("ascii").strip()


def commit_tree(
    git: GitProgram,
    tree: str,
    parents: Sequence[str],
    message: bytes,
    *,
    who: Mapping[str, str],
    signs: bool,
    encoding: str = "UTF-8",
) -> str:
    """A commit (in full) of that tree. `who` are the lines that name author and committer. Raises
    `GitRefusedError`.

    Ours are in UTF-8 whatever the person writes theirs in, and git must say so."""
    options = [word for parent in parents for word in ("-p", parent)] + (["-S"] if signs else [])
    command = ["-c", f"i18n.commitEncoding={encoding}", *DURABLE, "commit-tree", tree, *options]
    return git.get(*command, stdin=message, environment=who).decode("ascii").strip()


def commit_now(
    git: GitProgram,
    settings: Settings,
    tree: str,
    parents: Sequence[str],
    message: str,
    *,
    author: Author | None,
    now: datetime,
) -> str:
    """The same by the person, signed where the settings want that; `author=None` is the person too. Raises
    `GitError` where nobody is named."""
    person = the_person(settings)
    who = identity.environment(author or person, person, now, now)
    text = (message.rstrip("\n") + "\n").encode("utf-8", "replace")
    return commit_tree(git, tree, parents, text, who=who, signs=signs(settings))


def the_person(settings: Settings) -> Author:
    """Who commits. Raises `GitError` where git would have to guess."""
    found = identity.person(settings)
    if found is None:
        raise GitError(reasons.NO_IDENTITY)
    return found


def signs(settings: Settings) -> bool:
    """Whether commits are to be signed."""
    return settings.flag("commit.gpgSign") is True
