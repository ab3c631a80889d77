"""What of the vault's memories is not committed, read through GitPython."""

from __future__ import annotations

import os
import re

from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.read import repository, run
from vault_memory.model.namespace import ENDINGS, VaultPath
from vault_memory.model.revision import FileState, Unstaged

_GLOB = re.compile(r"([\\*?\[])")


def uncommitted(place: Place) -> list[tuple[str, FileState]]:
    """The vault's Markdown files that differ from HEAD, by vault path, in order. Raises `GitError`."""
    return [(name, _state(codes)) for name, codes in _status(place)]


def unstaged(place: Place) -> Unstaged:
    """The same, by whether something of them is staged. Raises `GitError`."""
    free: list[VaultPath] = []
    staged: list[VaultPath] = []
    for name, codes in _status(place):
        (free if codes in _FREE else staged).append(VaultPath(name))
    return Unstaged(tuple(free), tuple(staged))


_FREE = frozenset({"??", " M", " D", " T"})
"""What git says of a file of which nothing is staged."""


def _status(place: Place) -> list[tuple[str, str]]:
    """The Markdown files that differ from HEAD with git's two letters, in path order."""
    repo = repository(place)
    arguments = ["--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", *_all_notes(place)]
    out = run(repo, "status", arguments)
    found = []
    for line in out.split(b"\0"):
        name = place.note(os.fsdecode(line[3:])) if line else None
        if name is not None:
            found.append((name, line[:2].decode("ascii")))
    return sorted(found)


def _state(codes: str) -> FileState:
    staged, unstaged = codes[0], codes[1]
    if codes == "??":
        return FileState.UNTRACKED
    if unstaged == "D" or (staged == "D" and unstaged == " "):
        return FileState.MISSING
    both = staged not in " ?" and unstaged != " "
    return FileState.PARTLY_STAGED if both else FileState.MODIFIED


def _all_notes(place: Place) -> list[str]:
    literal = _GLOB.sub(r"\\\1", place.prefix)
    return [f":(top,glob,icase){literal}**/*{ending}" for ending in ENDINGS]
